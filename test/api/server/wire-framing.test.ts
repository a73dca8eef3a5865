import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { type Door, sharedTlsNode } from '../../support/tls.ts'
import { connectRaw, exchange, head, type RawAnswer } from './raw-http.ts'

type Open = () => Promise<{ node: TestNode; door: Door }>

describe.each<[string, Open]>([
  ['HTTP', () => sharedNode().then((node) => ({ node, door: node }))],
  ['HTTPS', () => sharedTlsNode().then((node) => ({ node, door: node.secure }))],
])('%s', (_port, open) => {
  let node: TestNode
  let door: Door
  let team: TestTeam
  let auth: string

  beforeAll(async () => {
    ;({ node, door } = await open())
    team = await newTeam(node)
    auth = `Authorization: Bearer ${team.ownerKey}`
  })

  const json = 'Content-Type: application/json'
  const lastChunk = '0\r\n\r\n'

  /**
   * Sends `bytes` followed by a second request, all at once; returns the responses and whether the second one
   * ran.
   */
  async function sendWithSecond(bytes: string): Promise<{ answers: RawAnswer[]; secondRan: boolean }> {
    const project = unique('second')
    const connection = await connectRaw(door)
    connection.send(bytes + head(`PUT /v1/projects/${project}`, auth, 'Content-Length: 0'))
    const answers = await connection.ended()
    connection.socket.destroy()
    const { status } = await team.owner('GET', `/v1/projects/${project}`)
    return { answers, secondRan: status !== 404 }
  }

  describe('400, the connection is closed, and the request behind it never runs', () => {
    const post = (...headers: string[]) => head('POST /v1/apikeys', auth, ...headers)
    it.each<[string, () => string]>([
      [
        'Content-Length and Transfer-Encoding',
        () => post(json, 'Content-Length: 5', 'Transfer-Encoding: chunked') + lastChunk,
      ],
      [
        'Transfer-Encoding and Content-Length',
        () => post(json, 'Transfer-Encoding: chunked', 'Content-Length: 5') + lastChunk,
      ],
      ['two lengths that differ', () => post('Content-Length: 0', 'Content-Length: 5')],
      ['two lengths that agree', () => post('Content-Length: 0', 'Content-Length: 0')],
      ['a list of lengths', () => post('Content-Length: 0, 0')],
      ['a length with a sign', () => post('Content-Length: +0')],
      ['a length in hex', () => post('Content-Length: 0x0')],
      ['Transfer-Encoding: xchunked', () => post('Transfer-Encoding: xchunked') + lastChunk],
      [
        'Transfer-Encoding: chunked, identity',
        () => post('Transfer-Encoding: chunked, identity') + lastChunk,
      ],
      ['Transfer-Encoding: gzip, chunked', () => post(json, 'Transfer-Encoding: gzip, chunked') + lastChunk],
      [
        'two Transfer-Encodings',
        () => post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + lastChunk,
      ],
      [
        'Transfer-Encoding in HTTP/1.0',
        () => post(json, 'Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0') + lastChunk,
      ],
      ['a chunk without a size', () => `${post(json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n${lastChunk}`],
      [
        'a chunk larger than its size',
        () => `${post(json, 'Transfer-Encoding: chunked')}1\r\n{}\r\n${lastChunk}`,
      ],
      ['a folded header', () => head('GET /healthz', 'X-A: b\r\n c')],
      ['a bare LF at the end of every line', () => 'GET /healthz HTTP/1.1\nHost: localhost\n\n'],
      ['a bare LF at the end of one line', () => 'GET /healthz HTTP/1.1\r\nHost: localhost\nX-A: b\r\n\r\n'],
      ['a bare CR in a header', () => head('GET /healthz', 'X-A: b\rc')],
      ['NUL in a header', () => head('GET /healthz', 'X-A: b\0c')],
      ['NUL in the path', () => head('GET /heal\0thz')],
      ['a space before the colon', () => head('GET /healthz', 'X-A : b')],
      ['a header without a name', () => head('GET /healthz', ': b')],
      ['a header line without a colon', () => head('GET /healthz', 'b')],
      ['raw UTF-8 in the path', () => head('GET /v1/projects/é', auth)],
      ['a request that claims to be HTTP/2', () => post(json).replace('HTTP/1.1', 'HTTP/2.0')],
      ['HTTP/0.9 with headers', () => post(json).replace('HTTP/1.1', 'HTTP/0.9')],
      ['an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['arbitrary bytes', () => 'hello\r\n\r\n'],
    ])('%s', async (_name, bytes) => {
      const { answers, secondRan } = await sendWithSecond(bytes())
      expect(secondRan).toBe(false)
      expect(answers.map(({ status }) => status)).toEqual([400])
      expect(JSON.parse(answers[0]?.body ?? '')).toEqual({
        code: 'BAD_REQUEST',
        reason: 'malformed_request',
        message: expect.any(String),
        request_id: answers[0]?.headers.get('x-request-id'),
      })
    })
  })

  it('405 and a closed connection for CONNECT, after the requests before it', async () => {
    const connection = await connectRaw(door)
    connection.send(`${head('GET /healthz')}${head('CONNECT x:443')}${head('GET /healthz')}`)
    const answers = await connection.ended()
    expect(answers.map(({ status }) => status)).toEqual([200, 405])
    expect(answers[1]?.headers.get('connection')).toBe('close')
    expect(answers[1]?.headers.get('allow')).toBe('')
    expect(JSON.parse(answers[1]?.body ?? '')).toMatchObject({ reason: 'method_not_allowed' })
  })

  describe('well-formed requests are accepted', () => {
    it('a chunked body with extensions and trailers, which are ignored', async () => {
      const request = head(`PUT /v1/projects/${unique('chunked')}`, auth, json, 'Transfer-Encoding: chunked')
      const bytes = `${request}2;a=b\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`
      expect((await exchange(door, bytes)).status).toBe(200)
    })

    it('an empty line before the request (RFC 9112, section 2.2)', async () => {
      expect((await exchange(door, `\r\n${head('GET /healthz')}`)).status).toBe(200)
    })

    it('HTTP/1.0, without a Host', async () => {
      const answer = await exchange(door, 'GET /healthz HTTP/1.0\r\n\r\n')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('connection')).toBe('close')
    })

    it('pipelined requests, which are answered in order', async () => {
      const connection = await connectRaw(door)
      connection.send(head('GET /v1/projects', auth) + head('GET /healthz') + head('GET /nothing'))
      const statuses = [await connection.answer(), await connection.answer(), await connection.answer()]
      connection.socket.destroy()
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404])
    })

    it.each([
      ['to a websocket', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AA==']],
      ['to HTTP/2', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']],
    ])('one with an upgrade %s, which is ignored, and those around it', async (_name, fields) => {
      const projects = [unique('length'), unique('chunked')]
      const put = (project: string, ...more: string[]) =>
        head(`PUT /v1/projects/${project}`, auth, json, ...fields, ...more)
      const bodies = [
        `${put(projects[0] ?? '', 'Content-Length: 2')}{}`,
        put(projects[1] ?? '', 'Transfer-Encoding: chunked', 'Expect: 100-continue') +
          `2\r\n{}\r\n${lastChunk}`,
      ]
      const last = head('GET /healthz', 'Connection: close')
      const connection = await connectRaw(door)
      connection.send(head('GET /nothing') + bodies.join('') + head('GET /v1/nothing', ...fields) + last)
      const statuses = (await connection.ended()).map(({ status }) => status)
      expect(statuses).toEqual([404, 200, 100, 200, 404, 200])
      for (const project of projects) {
        expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(200)
      }
    })

    it('a request followed by malformed bytes, which is answered first', async () => {
      const connection = await connectRaw(door)
      connection.send(
        `${head(`PUT /v1/projects/${unique('first')}`, auth, 'Content-Length: 0')}nonsense\r\n\r\n`,
      )
      const statuses = (await connection.ended()).map(({ status }) => status)
      expect(statuses).toEqual([200, 400])
    })

    it('a request that closes the connection, whatever follows it', async () => {
      const connection = await connectRaw(door)
      connection.send(head('GET /v1/projects', auth, 'Connection: close') + head('GET /healthz'))
      expect((await connection.ended()).map(({ status }) => status)).toEqual([200])
    })
  })
})
