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

  /** A request with these `Host` lines. */
  function withHosts(...hosts: string[]): string {
    return `GET /healthz HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`
  }

  function expectRefusal(answer: RawAnswer, status: number): void {
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(answer.body)).toMatchObject({
      code: expect.any(String),
      reason: expect.any(String),
      message: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
  }

  it('a request in absolute form is answered by its own authority', async () => {
    // A Host that would be refused by itself is replaced.
    const replaced = withHosts('a@b').replace('GET /', 'GET http://localhost/')
    expect((await exchange(door, replaced)).status).toBe(200)
    expectRefusal(await exchange(door, withHosts('localhost').replace('GET /', 'GET http://a,b/')), 400)
    for (const target of [
      'http://localhost/healthz',
      'HTTPS://other.example/healthz',
      'http://localhost/v1/projects?limit=1',
    ]) {
      const { status } = await exchange(door, head(`GET ${target}`, auth))
      expect([target, status]).toEqual([target, 200])
    }
    const { status, body } = await exchange(door, head('GET http://localhost/v1/nothing', auth))
    expect([status, JSON.parse(body).reason]).toEqual([404, 'unknown_path'])
  })

  describe('an ambiguous request is a 400', () => {
    it.each<[string, () => string]>([
      ['two hosts', () => withHosts('localhost', 'other')],
      ['the same host twice', () => withHosts('localhost', 'localhost')],
      ['no host', () => withHosts()],
      ['an empty host', () => withHosts('')],
      ['a host with a user name', () => withHosts('a@b')],
      ['a host with a path', () => withHosts('a/b')],
      ['a list of hosts', () => withHosts('a,b')],
      ['two credentials', () => head('GET /v1/projects', auth, auth)],
      ['two credentials in different cases', () => head('GET /v1/projects', auth, auth.toLowerCase())],
      ['two request ids', () => head('GET /healthz', 'X-Request-Id: aaaaaaaa', 'X-Request-Id: bbbbbbbb')],
      [
        'two content types',
        () =>
          `${head(
            'PUT /v1/projects/a',
            auth,
            'Content-Type: application/json',
            'Content-Type: a/b',
            'Content-Length: 2',
          )}{}`,
      ],
      ['a target with another scheme', () => head('GET ftp://localhost/healthz')],
      ['an absolute target with a user', () => head('GET http://a@localhost/healthz')],
      ['an absolute target with no host', () => head('GET http:///healthz')],
      [
        'an absolute target with two hosts',
        () => withHosts('localhost', 'b').replace(' /', ' http://localhost/'),
      ],
      ['the target *', () => head('OPTIONS *')],
      ['a path that is not UTF-8', () => head('GET /%ff')],
      ['a path that is half of a surrogate pair', () => head('GET /v1/projects/%ed%a0%80', auth)],
      ['a path with an unescaped percent sign', () => head('GET /v1/projects/100%', auth)],
      ['a query that is not UTF-8', () => head('GET /v1/projects?q=%ff', auth)],
      ['a query with an unescaped percent sign', () => head('GET /v1/projects?q=100%', auth)],
      ['an RPC input that is not UTF-8', () => head('GET /trpc/projects.list?input=%ff', auth)],
      [
        'a path parameter of more than 1,024 characters',
        () => head(`GET /v1/projects/${'a'.repeat(1_025)}`, auth),
      ],
    ])('%s', async (_name, bytes) => {
      expectRefusal(await exchange(door, bytes()), 400)
    })

    it('and a request behind it never runs', async () => {
      const project = unique('second')
      const connection = await connectRaw(door)
      connection.send(withHosts('a', 'b') + head(`PUT /v1/projects/${project}`, auth, 'Content-Length: 0'))
      expect((await connection.ended()).map(({ status }) => status)).toEqual([400])
      expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
    })
  })

  describe('headers beyond the limits are a 431', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: a`)
    it.each<[string, () => string]>([
      ['201 headers', () => head('GET /v1/projects', auth, ...many(199))],
      [
        '2,500 headers, the credential last',
        () => head('GET /v1/projects', ...Array(2_500).fill('a:b'), auth),
      ],
      ['more than 16 KiB of headers', () => head('GET /v1/projects', auth, `X-A: ${'a'.repeat(16_384)}`)],
      ['a request line of more than 16 KiB', () => head(`GET /v1/projects?q=${'a'.repeat(16_384)}`, auth)],
    ])('%s', async (_name, bytes) => {
      expectRefusal(await exchange(door, bytes()), 431)
    })

    it('but 200 headers are accepted, and each counts', async () => {
      const answer = await exchange(door, head('GET /v1/projects', ...many(198), auth))
      expect(answer.status).toBe(200)
    })

    it('417: an unknown expectation', async () => {
      expectRefusal(await exchange(door, head('PUT /v1/projects/a', auth, 'Expect: tea')), 417)
    })
  })

  describe('methods', () => {
    it.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'])('405: %s', async (method) => {
      const answer = await exchange(door, head(`${method} /v1/projects`, auth))
      expectRefusal(answer, 405)
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    })

    it.each(['BREW', 'get'])('400: %s, which is not a method here', async (method) => {
      expectRefusal(await exchange(door, head(`${method} /v1/projects`, auth)), 400)
    })

    it('405 on CONNECT, and the connection is closed', async () => {
      const connection = await connectRaw(door)
      connection.send('CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n')
      expect(await connection.ended()).toMatchObject([{ status: 405 }])
    })

    it('stays with HTTP/1.1 on an upgrade request', async () => {
      const answer = await exchange(door, head('GET /healthz', 'Connection: upgrade', 'Upgrade: h2c'))
      expect(answer.status).toBe(200)
    })
  })

  describe('paths', () => {
    it.each(['//evil.example/x', '/\\evil.example', '/..//evil.example', '/v1/projects/..', '/v1//projects'])(
      'never redirect: %s is a 404',
      async (path) => {
        const answer = await exchange(door, head(`GET ${path}`, auth))
        expectRefusal(answer, 404)
        expect(answer.headers.has('location')).toBe(false)
      },
    )

    it.each(['LOCALHOST:3000', 'localhost.', '[::1]:3000', 'xn--bcher-kva.example'])(
      'work with any host name: %s',
      async (host) => {
        expect((await exchange(door, withHosts(host))).status).toBe(200)
      },
    )
  })

  describe('x-request-id', () => {
    const requestIdWith = async (...headers: string[]) =>
      (await exchange(door, head('GET /nothing', ...headers))).headers.get('x-request-id')

    it('is generated when the client sends none', async () => {
      expect(await requestIdWith()).toMatch(/^req_[0-9a-f]{32}$/)
    })

    it.each(['client-1', 'A.b_c-1234', 'a'.repeat(128)])("is the client's own: %s", async (id) => {
      expect(await requestIdWith(`X-Request-Id: ${id}`)).toBe(id)
    })

    it.each(['short', 'a'.repeat(129), 'with space', 'new\tline-', 'umläut-id', '"quoted"', ''])(
      'is generated when the client sends %j',
      async (id) => {
        expect(await requestIdWith(`X-Request-Id: ${id}`)).toMatch(/^req_[0-9a-f]{32}$/)
      },
    )

    it('is in the log', async () => {
      const id = unique('request')
      await requestIdWith(`X-Request-Id: ${id}`)
      await expect.poll(() => node.logged.some((line) => JSON.parse(line).request_id === id)).toBe(true)
    })
  })

  describe('headers of untrusted proxies are ignored', () => {
    const forged = [
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: for=203.0.113.7;host=evil.example;proto=https',
      'X-Real-IP: 203.0.113.7',
    ]

    it('in links', async () => {
      const project = unique('site')
      await team.owner('PUT', `/v1/projects/${project}`)
      const body = JSON.stringify({ project, files: [{ path: 'a', sha256: 'a'.repeat(64), size: 1 }] })
      const bytes = head(
        'POST /v1/deployments',
        auth,
        ...forged,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      )
      const answer = await exchange(door, bytes.replace('Host: localhost', 'Host: evil.example') + body)
      expect(JSON.parse(answer.body).missing[0].upload_url).toMatch(new RegExp(`^${node.apiUrl}/uploads/`))
      expect(answer.body).not.toContain('evil.example')
    })

    it('in the document and in logs', async () => {
      const id = unique('request')
      const answer = await exchange(door, head('GET /openapi.json', ...forged, `X-Request-Id: ${id}`))
      expect(JSON.parse(answer.body).servers).toEqual([{ url: node.apiUrl }])
      await expect.poll(() => node.logged.find((line) => line.includes(id))).toBeDefined()
      expect(node.logged.find((line) => line.includes(id))).not.toContain('203.0.113.7')
    })
  })
})
