import { beforeAll, describe, expect, it } from 'vitest'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { exchange, head } from './raw-http.ts'

let node: TestNode
let team: TestTeam
let auth: string
let project: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  auth = `Authorization: Bearer ${team.ownerKey}`
  project = unique('bodies')
  await team.owner('PUT', `/v1/projects/${project}`, { preview_ttl_days: 7 })
})

type Refusal = {
  status: number
  reason: string
  message: string
  issues?: { path: string; message: string }[]
}

/** Sends these bytes as they are. */
async function send(
  method: string,
  path: string,
  body: string | Buffer,
  contentType = 'application/json',
): Promise<Refusal> {
  const bytes = Buffer.from(body)
  const type = contentType === '' ? [] : [`Content-Type: ${contentType}`]
  const request = head(`${method} ${path}`, auth, ...type, `Content-Length: ${bytes.length}`)
  const answer = await exchange(node, Buffer.concat([Buffer.from(request), bytes]))
  const parsed = JSON.parse(answer.body)
  return { status: answer.status, ...parsed, ...parsed.error?.data }
}

const put = (body: string | Buffer, contentType?: string) =>
  send('PUT', `/v1/projects/${project}`, body, contentType)

/** An object with this many fields. */
const objectOf = (count: number) => Array.from({ length: count }, (_, at) => `"f${at}":0`).join(',')

/** The same input through both surfaces. */
const surfaces: [string, (fields: string) => Promise<Refusal>][] = [
  ['REST', (fields) => put(`{${fields}}`)],
  ['RPC', (fields) => send('POST', '/trpc/projects.put', `{"project":"${project}",${fields}}`)],
  [
    'an RPC batch',
    async (fields) => {
      const answers = await send(
        'POST',
        '/trpc/projects.put?batch=1',
        `{"0":{"project":"${project}",${fields}}}`,
      )
      const [first] = Object.values(answers).filter((each) => typeof each === 'object')
      return Object(first).error?.data ? { status: answers.status, ...Object(first).error.data } : answers
    },
  ],
]

describe.each(surfaces)('never stored, never a 500, %s:', (_name, sendFields) => {
  it.each([
    ['U+0000 in a string', '"env":[{"key":"A","value":"a\\u0000b"}]', 'env.0.value'],
    ['U+0000 in an unknown field', '"other":"\\u0000"', 'other'],
    ['U+0000 in a key', '"build":{"a\\u0000":1}', 'build'],
    ['the first half of a surrogate pair', '"env":[{"key":"A","value":"\\ud83d"}]', 'env.0.value'],
    ['the second half of a surrogate pair', '"env":[{"key":"A","value":"\\ude00"}]', 'env.0.value'],
    ['half of a surrogate pair in a key', '"build":{"\\ud83d":1}', 'build'],
    ['1e400', '"preview_ttl_days":1e400', 'preview_ttl_days'],
    ['-1e400', '"preview_ttl_days":-1e400', 'preview_ttl_days'],
    ['a number that is not an integer', '"preview_ttl_days":9007199254740993', 'preview_ttl_days'],
    ['a fraction', '"preview_ttl_days":1.5', 'preview_ttl_days'],
    ['a number as text', '"preview_ttl_days":"5"', 'preview_ttl_days'],
    ['a boolean as text', '"spa":"false"', 'spa'],
    ['a boolean as number', '"spa":0', 'spa'],
    ['text as number', '"name":5', 'name'],
    ['a list of one value instead of the value', '"spa":[true]', 'spa'],
    ['nesting of 40 levels', `"env":${'['.repeat(40)}${']'.repeat(40)}`, undefined],
    ['nesting of 100,000 levels', `"env":${'['.repeat(100_000)}${']'.repeat(100_000)}`, undefined],
    [
      'objects in objects, 100,000 of them',
      `"env":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      undefined,
    ],
    ['a list of millions', `"env":[${'0,'.repeat(2_000_000)}0]`, 'env'],
    ['an object of thousands', `"build":{${objectOf(2_000)}}`, 'build'],
    ['an object of hundreds of thousands', `"build":{${objectOf(300_000)}}`, 'build'],
  ])('400: %s', async (_what, fields, path) => {
    const refusal = await sendFields(fields)
    expect(refusal).toMatchObject({ status: 400, reason: 'invalid_input', message: expect.any(String) })
    // Large bodies are counted before the calls of a batch are known.
    const places = refusal.issues?.map((issue) => issue.path.replace(/^0\./, ''))
    if (path !== undefined) expect(places).toContain(path)
    else expect(refusal.message).toContain('nested more than 32 levels deep')
    // An excess is reported once, not for each call.
    expect(refusal.issues?.length ?? 1).toBeLessThan(3)
    const { body } = await team.owner('GET', `/v1/projects/${project}`)
    expect(body).toMatchObject({ preview_ttl_days: 7, spa: false, env: [], name: project })
  })

  it.each([
    ['__proto__', '"__proto__":{"spa":true}'],
    ['an escaped __proto__', '"\\u005f_proto__":{"spa":true}'],
    ['__proto__ at a deeper level', '"build":{"__proto__":{"root_directory":"x"}}'],
    ['constructor.prototype', '"build":{"constructor":{"prototype":{"polluted":true}}}'],
    ['toString', '"toString":1'],
  ])('400: the key %s', async (_what, fields) => {
    expect((await sendFields(fields)).status).toBe(400)
    expect(Object(Object.prototype).polluted).toBeUndefined()
    const { body } = await team.owner('GET', `/v1/projects/${project}`)
    expect(body).toMatchObject({ spa: false, build: { root_directory: '.' } })
  })
})

it('400: the key __proto__ also where any key is allowed', async () => {
  const meta = '{"branch":"main","__proto__":"x"}'
  const files = '[{"path":"index.html","content":"a"}]'
  const body = `{"project":"${project}","files":${files},"meta":${meta}}`
  expect(await send('POST', '/v1/deployments', body)).toMatchObject({ status: 400, reason: 'malformed_json' })
})

describe('a body that is not a JSON object is a 400', () => {
  it.each([
    ['an empty body where fields are required', '', 'invalid_input'],
    ['null', 'null', 'invalid_input'],
    ['a list', '[]', 'invalid_input'],
    ['a string', '"project"', 'invalid_input'],
    ['a number', '5', 'invalid_input'],
    ['true', 'true', 'invalid_input'],
    ['a word', 'project', 'malformed_json'],
    ['a truncated object', '{"project":', 'malformed_json'],
    ['two objects', '{}{}', 'malformed_json'],
    ['a trailing comma', '{"project":"a",}', 'malformed_json'],
    ['a comment', '{/* */}', 'malformed_json'],
    ['single quotes', "{'project':'a'}", 'malformed_json'],
    ['NaN', '{"project":NaN}', 'malformed_json'],
    ['a raw newline in a string', '{"project":"a\nb"}', 'malformed_json'],
    ['spaces', '   ', 'malformed_json'],
  ])('%s', async (_what, body, reason) => {
    expect(await send('POST', '/v1/deployments', body)).toMatchObject({ status: 400, reason })
  })

  it.each([
    ['a byte that starts no character', Buffer.from([0x7b, 0xff, 0x7d])],
    ['UTF-16', Buffer.from('{"spa":true}', 'utf16le')],
    [
      'an overlong encoding',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    ],
    [
      'a lone surrogate',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
  ])('%s instead of UTF-8', async (_what, body) => {
    expect(await put(body)).toMatchObject({ status: 400, reason: 'malformed_json' })
    expect(await send('POST', '/trpc/projects.put', body)).toMatchObject({
      status: 400,
      reason: 'malformed_json',
    })
  })
})

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=ISO-8859-1',
    'Application/JSON',
    'application/json ; a="b"',
  ])('%s is JSON', async (type) => {
    expect((await put('{"spa":false}', type)).status).toBe(200)
  })

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/octet-stream',
    'json',
    '*/*',
  ])('400 with a body of the type %j', async (type) => {
    const refusal = { status: 400, reason: 'unsupported_content_type' }
    expect(await put('{"spa":false}', type)).toMatchObject(refusal)
    expect(await send('POST', '/trpc/projects.put', `{"project":"${project}"}`, type)).toMatchObject(refusal)
  })

  it.each(['', 'application/json', 'text/plain'])('is ignored without a body: %j', async (type) => {
    expect((await put('', type)).status).toBe(200)
  })
})
