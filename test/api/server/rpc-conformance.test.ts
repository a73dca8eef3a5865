/**
 * Single calls, which are answered without tRPC's adapter, compared with the adapter's own responses on the
 * same server.
 */
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { exchange, head, type RawAnswer } from './raw-http.ts'

let node: TestNode
let team: TestTeam
let memberKey: string
let project: string
let broken: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  memberKey = (await addMember(node, team)).key
  project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const files = [{ path: 'a', content: 'a' }]
  broken = (await team.owner('POST', '/v1/deployments', { project, files })).body.id
  // A row that our code never writes, so that its output is invalid.
  await node.installation.store.db.execute(
    sql`update deployments set meta = '{"a":{}}'::jsonb where id = ${broken}`,
  )
})

type Sent = { line: string; headers?: string[]; body?: string | Buffer; token?: string | undefined }

/**
 * Any value of this header but the one for streams leaves tRPC's response as it is, and makes its adapter
 * send it.
 */
const throughAdapter = 'trpc-accept: application/json'

async function send({ line, headers = [], body, token = team.ownerKey }: Sent, ...more: string[]) {
  const bytes = Buffer.from(body ?? '')
  const lines = [...headers, ...more, ...(token === '' ? [] : [`Authorization: Bearer ${token}`])]
  if (body !== undefined) lines.push(`Content-Length: ${bytes.length}`)
  return exchange(node, Buffer.concat([Buffer.from(head(line, ...lines)), bytes]))
}

/** Headers that depend on how the body is chunked, or differ between any two requests. */
const ofTheRequest = ['content-length', 'transfer-encoding', 'date', 'x-request-id', 'ratelimit']

function comparable({ status, headers, body }: RawAnswer) {
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !ofTheRequest.includes(name))),
    body: body
      .replaceAll(headers.get('x-request-id') ?? '', 'req_')
      .replaceAll(/expires=.*?"|"updated_ms":\d+/g, ''),
  }
}

/** Both responses to the same request, which must be equal. */
async function expectTheSame(sent: Sent): Promise<RawAnswer> {
  const single = await send(sent)
  const adapter = await send(sent, throughAdapter)
  expect(comparable(single)).toEqual(comparable(adapter))
  return single
}

/** Whether tRPC's adapter responded: it sends a stream, without a length. */
const isOfAdapter = ({ headers }: RawAnswer) => headers.get('transfer-encoding') === 'chunked'

const json = 'Content-Type: application/json'
const encode = (input: unknown) => encodeURIComponent(JSON.stringify(input))
const get = (path: string, input?: unknown): Sent => {
  const query = input === undefined ? '' : `${path.includes('?') ? '&' : '?'}input=${encode(input)}`
  return { line: `GET /trpc/${path}${query}` }
}
const post = (path: string, input: unknown): Sent => ({
  line: `POST /trpc/${path}`,
  headers: [json],
  body: JSON.stringify(input),
})

describe('answered without the adapter, with the same response:', () => {
  it.each<[string, number, () => Sent]>([
    ['a query', 200, () => get('projects.get', { project })],
    ['a query in a batch of one', 200, () => get('projects.get?batch=1', { 0: { project } })],
    ['a mutation', 200, () => post('projects.put', { project, spa: true })],
    ['a mutation in a batch of one', 200, () => post('projects.put?batch=1', { 0: { project, spa: true } })],
    ['text beyond ASCII', 200, () => get('projects.list', { q: 'bücher 💥 +%&=#' })],
    [
      'spaces written as +',
      200,
      () => ({ line: 'GET /trpc/projects.list?input=%7B+%22q%22:+%22a+b%22+%7D' }),
    ],
    [
      'characters that need no escape, not escaped',
      200,
      () => ({ line: `GET /trpc/projects.list?input={"limit":1}` }),
    ],
    ['an escaped parameter name', 200, () => ({ line: 'GET /trpc/projects.list?%69nput=%7B%7D' })],
    ['an escaped procedure name', 200, () => ({ line: 'GET /trpc/projects%2Elist?input=%7B%7D' })],
    ['unknown parameters', 200, () => get('projects.get?a=1&a=2&__proto__=3&=&&', { project })],
    [
      'input given twice: the first counts',
      200,
      () => get(`projects.get?input=${encode({ project })}`, { project: 'other' }),
    ],
    ['an empty input and another', 400, () => get('projects.get?input=', { project })],
    ['batch given twice: the first counts', 200, () => get('projects.get?batch=0&batch=1', { project })],
    ['a batch parameter of another number', 200, () => get('projects.get?batch=true', { project })],
    ['no input', 400, () => get('projects.list')],
    ['an empty input', 400, () => ({ line: 'GET /trpc/projects.list?input=' })],
    ['the input null', 400, () => get('projects.list', null)],
    ['the input null in a batch', 400, () => get('projects.list?batch=1', { 0: null })],
    ['a batch of one without its input', 400, () => get('projects.list?batch=1', {})],
    ['a batch of one without any input', 400, () => get('projects.list?batch=1')],
    ['a batch of one with the input of another index', 400, () => get('projects.list?batch=1', { 1: {} })],
    ['a list', 400, () => get('projects.get', [project])],
    ['an unknown field', 400, () => get('projects.get', { project, other: 1 })],
    ['several wrong fields', 400, () => post('projects.put', { project, name: '-', preview_ttl_days: 0 })],
    ['U+0000', 400, () => get('projects.list', { q: 'a\u0000' })],
    ['__proto__', 400, () => ({ line: 'GET /trpc/projects.list?input={"__proto__":{"limit":1}}' })],
    ['a number out of range', 400, () => ({ line: 'GET /trpc/projects.list?input={"limit":1e400}' })],
    ['a refusal', 404, () => get('projects.get', { project: 'other' })],
    ['a refusal in a batch of one', 404, () => get('projects.get?batch=1', { 0: { project: 'other' } })],
    ['a refusal with a list', 400, () => post('deployments.create', missingFile())],
    ['a cursor of another list', 400, () => get('projects.list', { cursor: 'a' })],
    ['a role that is too low', 403, () => ({ ...post('projects.delete', { project }), token: memberKey })],
    ['an internal error', 500, () => get('deployments.get', { deployment: broken })],
    [
      'an internal error in a batch of one',
      500,
      () => get('deployments.get?batch=1', { 0: { deployment: broken } }),
    ],
    ['an ignored body', 200, () => ({ ...get('projects.get', { project }), headers: [json], body: '{' })],
    [
      'an input in the URL of a POST',
      400,
      () => ({ ...post('projects.put', {}), line: `POST /trpc/projects.put?input=${encode({ project })}` }),
    ],
    ['a POST without a body', 400, () => ({ line: 'POST /trpc/projects.put', headers: [json] })],
    [
      'a POST with an empty body',
      400,
      () => ({ line: 'POST /trpc/projects.put', headers: [json], body: '' }),
    ],
    [
      'another spelling of the content type',
      200,
      () => ({
        ...post('projects.put', { project, spa: true }),
        headers: ['Content-Type: Application/JSON ; charset=UTF-8'],
      }),
    ],
    [
      'anything accepted',
      200,
      () => ({ ...get('projects.get', { project }), headers: ['Accept: application/json;q=0.5, */*'] }),
    ],
  ])('%s', async (_what, status, sent) => {
    const single = await expectTheSame(sent())
    expect(single.status).toBe(status)
    expect(isOfAdapter(single)).toBe(false)
    expect(isOfAdapter(await send(sent(), throughAdapter))).toBe(true)
  })

  const missingFile = () => ({ project, files: [{ path: 'a', sha256: 'd'.repeat(64), size: 1 }] })
})

describe('left to the adapter:', () => {
  it.each<[string, number, () => Sent]>([
    [
      'several calls',
      200,
      () => get('projects.get,projects.get?batch=1', { 0: { project }, 1: { project } }),
    ],
    ['an unknown procedure', 404, () => get('projects.nothing', {})],
    ['__proto__ as a procedure', 404, () => get('__proto__', {})],
    ['two names without a batch', 404, () => get('projects.get,projects.get', { project })],
    ['a query by POST', 405, () => post('projects.get', { project })],
    ['a mutation by GET', 405, () => get('projects.put', { project })],
    ['a truncated object', 400, () => ({ line: 'GET /trpc/projects.list?input={' })],
    ['a truncated object as a body', 400, () => ({ ...post('projects.put', {}), body: '{' })],
    ['a batch whose input is a list', 400, () => get('projects.get?batch=1', [{ project }])],
    ['a batch whose input is null', 400, () => get('projects.get?batch=1', null)],
    ['connection parameters', 200, () => get('projects.get?connectionParams=%7B%7D', { project })],
    ['invalid connection parameters', 400, () => get('projects.get?connectionParams=1', { project })],
    [
      'a form by GET',
      405,
      () => ({
        ...get('projects.get', { project }),
        headers: ['Content-Type: multipart/form-data; boundary=a'],
      }),
    ],
    ['a POST without a content type', 400, () => ({ line: 'POST /trpc/projects.put' })],
  ])('%s', async (_what, status, sent) => {
    const single = await expectTheSame(sent())
    expect(single.status).toBe(status)
  })
})

it('a stream stays one', async () => {
  const sent = get('projects.get?batch=1', { 0: { project } })
  for (const header of ['trpc-accept: application/jsonl', 'Accept: text/html, application/jsonl']) {
    const { status, body } = await send(sent, header)
    expect({ status, firstLine: body.split('\n', 1)[0] }).toEqual({
      status: 200,
      firstLine: '{"0":[[0],[null,0,0]]}',
    })
  }
})

describe('refused before either:', () => {
  it.each<[string, number, () => Sent]>([
    ['no credential', 401, () => ({ ...get('projects.get', { project }), token: '' })],
    ['an unknown credential', 401, () => ({ ...post('projects.put', { project }), token: 'svc_nobody' })],
    ['PUT', 405, () => ({ ...post('projects.put', { project }), line: 'PUT /trpc/projects.put' })],
    ['no procedure', 404, () => ({ line: 'GET /trpc' })],
    ['a fragment', 400, () => ({ line: 'GET /trpc/projects.list#?input={}' })],
    [
      'a procedure name that is escaped twice',
      400,
      () => ({ line: 'GET /trpc/projects%252Elist?input=%7B%7D' }),
    ],
    ['another type', 400, () => ({ ...post('projects.put', {}), headers: ['Content-Type: text/plain'] })],
    [
      'bytes that are not UTF-8',
      400,
      () => ({ ...post('projects.put', {}), body: Buffer.from([0x22, 0xff, 0x22]) }),
    ],
    [
      'a body with a Content-Encoding',
      400,
      () => ({ ...post('projects.put', {}), headers: [json, 'Content-Encoding: gzip'] }),
    ],
  ])('%s', async (_what, status, sent) => {
    expect((await expectTheSame(sent())).status).toBe(status)
  })

  it('a body over the limit', async () => {
    const request = head(
      'POST /trpc/projects.put',
      json,
      `Authorization: Bearer ${team.ownerKey}`,
      `Content-Length: ${node.settings.SVC_MAX_JSON_BYTES + 1}`,
    )
    const single = await exchange(node, request)
    const adapter = await exchange(node, request.replace('\r\n\r\n', `\r\n${throughAdapter}\r\n\r\n`))
    expect(comparable(single)).toEqual(comparable(adapter))
    expect(single.status).toBe(413)
  })
})

describe('better than the adapter:', () => {
  it.each(['a:b', 'a:99999', '[::1', '256.1.1.1', ':80'])(
    'an invalid Host is not reported as malformed JSON: %s',
    async (host) => {
      for (const more of [[], [throughAdapter]]) {
        const lines = [
          `GET /trpc/projects.get?input=${encode({ project })} HTTP/1.1`,
          `Host: ${host}`,
          `Authorization: Bearer ${team.ownerKey}`,
          ...more,
        ]
        const { status, body } = await exchange(node, `${lines.join('\r\n')}\r\n\r\n`)
        expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 400, reason: 'malformed_request' })
      }
    },
  )

  it('has a Content-Length', async () => {
    const { headers, body } = await send(get('projects.get', { project }))
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  })
})

it('an internal error is logged the same way', async () => {
  const lines = await Promise.all(
    [[], [throughAdapter]].map(async (headers) => {
      const { body } = await send(get('deployments.get', { deployment: broken }), ...headers)
      const id = JSON.parse(body).error.data.request_id
      const [line] = node.logged
        .map((text) => JSON.parse(text))
        .filter((each) => each.level === 50 && each.request_id === id)
      return { path: line.path, msg: line.msg, message: line.err.message }
    }),
  )
  expect(lines[0]).toEqual(lines[1])
  expect(lines[0]).toMatchObject({ path: 'deployments.get', message: expect.stringContaining('meta') })
})
