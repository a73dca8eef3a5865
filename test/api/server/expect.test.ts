/** `Expect: 100-continue`: a body is requested only once it is wanted (RFC 9110, section 10.1.1). */
import { once } from 'node:events'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { sharedTlsNode } from '../../support/tls.ts'
import { openSession } from './http2-client.ts'
import { connectRaw, head } from './raw-http.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

const json = 'Content-Type: application/json'
const length = 'Content-Length: 12'

async function open() {
  const connection = await connectRaw(node)
  onTestFinished(() => void connection.socket.destroy())
  return {
    ...connection,
    ask(line: string, ...fields: string[]) {
      connection.send(head(line, 'Expect: 100-continue', ...fields))
      return connection.answer()
    },
  }
}

describe('a request refused by its head has no body requested, and is the last of its connection:', () => {
  const withKey = () => `Authorization: Bearer ${team.ownerKey}`
  it.each<[number, string, string, () => string[]]>([
    [401, 'without a credential', 'POST /v1/deployments', () => [json, length]],
    [401, 'without one, by RPC', 'POST /trpc/projects.put', () => [json, length]],
    [401, 'an upload without a signature', `PUT /uploads/${'a'.repeat(64)}`, () => [length]],
    [400, 'another type', 'POST /v1/deployments', () => [withKey(), 'Content-Type: text/plain', length]],
    [
      400,
      'another type, in chunks',
      'POST /v1/deployments',
      () => [withKey(), 'Content-Type: text/plain', 'Transfer-Encoding: chunked'],
    ],
    [400, 'a coding', 'POST /v1/deployments', () => [withKey(), json, length, 'Content-Encoding: gzip']],
    [400, 'an encoded name', 'POST /trpc/projects%252Eput', () => [withKey(), json, length]],
    [400, 'a body of a GET', 'GET /v1/projects', () => [withKey(), json, length]],
    [
      413,
      'a body that is too large',
      'POST /v1/deployments',
      () => [withKey(), json, 'Content-Length: 99999999'],
    ],
    [404, 'an unknown path', 'POST /v1/nothing', () => [withKey(), json, length]],
    [405, 'another method', 'PATCH /v1/projects', () => [withKey(), json, length]],
    [403, 'a form of another site', 'POST /auth/sign-in', () => [json, length]],
  ])('%d for %s', async (status, _what, line, fields) => {
    const { ask, ended } = await open()
    const answer = await ask(line, ...fields())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await ended()).toEqual([])
  })
})

describe('a wanted body is requested, and the connection is kept:', () => {
  it.each<[string, string[], string]>([
    ['with a length', ['Content-Length: 12'], '{"spa":true}'],
    ['in chunks', ['Transfer-Encoding: chunked'], 'c\r\n{"spa":true}\r\n0\r\n\r\n'],
  ])('%s', async (_what, fields, body) => {
    const { ask, send, answer } = await open()
    const key = `Authorization: Bearer ${team.ownerKey}`
    for (const project of [unique('site'), unique('site')]) {
      expect((await ask(`PUT /v1/projects/${project}`, key, json, ...fields)).status).toBe(100)
      send(body)
      expect((await answer()).status).toBe(200)
    }
  })
})

describe('over HTTP/2', () => {
  /** What the server says first, and the status in the end. */
  async function ask(path: string, headers: Record<string, string>, body?: string) {
    const session = await openSession((await sharedTlsNode()).secure)
    onTestFinished(() => session.destroy())
    const fields = { ':method': 'PUT', ':path': path, expect: '100-continue', ...headers }
    const stream = session.request(fields, { endStream: false })
    const said: (string | number | undefined)[] = []
    stream.once('continue', () => {
      said.push('continue')
      stream.end(body)
    })
    stream.once('response', (response) => said.push(response[':status']))
    stream.on('error', () => {}).resume()
    await once(stream, 'response')
    stream.close()
    return said
  }

  it('a body is requested only where it is wanted', async () => {
    const json = { 'content-type': 'application/json' }
    const secureTeam = await newTeam(await sharedTlsNode())
    const authorization = `Bearer ${secureTeam.ownerKey}`
    expect(await ask('/v1/projects/a', json)).toEqual([401])
    expect(await ask('/v1/nothing', { ...json, authorization })).toEqual([404])
    expect(await ask('/v1/projects/a', { authorization, 'content-type': 'text/plain' })).toEqual([400])
    expect(await ask('/v1/projects/a', { ...json, authorization }, '{"spa":true}')).toEqual(['continue', 200])
  })
})
