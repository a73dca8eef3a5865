/**
 * Responses before the end of a request's body: either the connection goes on, or the response says that it
 * ends.
 */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { createDatabase } from '../../support/databases.ts'
import { unique } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { settingsOf } from '../../support/s3/settings.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startTlsNode, type TlsNode } from '../../support/tls.ts'
import { connectRaw, head, type RawAnswer } from './raw-http.ts'

let s3: S3Server
let database: Awaited<ReturnType<typeof createDatabase>> | undefined
let node: TlsNode
let team: TestTeam
let auth: string
const timeouts = { ...defaultTimeouts, lingerMs: 300, bodyMs: 2_000 }

beforeAll(async () => {
  s3 = await startS3()
  const bucket = { ...settingsOf(s3, ''), SVC_S3_DIRECT_UPLOADS: '0', SVC_ROLES: 'api' }
  const server = process.env.TEST_ON
  database = server ? await createDatabase(server) : undefined
  node = await startTlsNode({ ...bucket, ...(database && { DATABASE_URL: database.url }) }, timeouts)
  team = await newTeam(node)
  auth = `Authorization: Bearer ${team.ownerKey}`
})

afterAll(async () => {
  await node.stop()
  await database?.drop()
  await s3.close()
})

const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x')

async function uploadPath(content: Buffer): Promise<string> {
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const files = [{ path: 'a', sha256, size: content.length }]
  const { body } = await team.owner('POST', '/v1/deployments', { project, files })
  const { pathname, search } = new URL(body.missing[0].upload_url)
  return pathname + search
}

type Outcome = { first: RawAnswer | undefined; next: number | 'closes'; isReset: boolean }

/** Sends a request, and another one unless the response says that the connection ends. */
async function sendAndGoOn(door: { apiUrl: string }, first: string, ...body: Buffer[]): Promise<Outcome> {
  const connection = await connectRaw(door)
  let isReset = false
  connection.socket.on('error', () => {
    isReset = true
  })
  try {
    connection.send(first)
    for (const each of body) connection.send(each)
    const answer = await connection.answer()
    if (answer.headers.get('connection') !== 'close') {
      connection.send(head('GET /healthz'))
      return { first: answer, next: (await connection.answer()).status, isReset }
    }
    expect(await connection.ended()).toEqual([])
    return { first: answer, next: 'closes', isReset }
  } finally {
    connection.socket.destroy()
  }
}

describe.each<[string, () => { apiUrl: string }]>([
  ['HTTP', () => node],
  ['HTTPS', () => node.secure],
])('%s', (_port, door) => {
  it.each<[string, number, Parameters<S3Server['fail']>[0], number | 'closes']>([
    ['a small upload to a bucket that resets it', 10_000, () => ({ drop: true }), 200],
    ['a large upload to a bucket that resets it', 2 << 20, () => ({ drop: true }), 'closes'],
    ['a large upload to a bucket that refuses it', 2 << 20, () => ({ status: 503 }), 'closes'],
    ['a large upload to a bucket that knows no such path', 2 << 20, () => ({ status: 404 }), 'closes'],
  ])('%s', async (_what, bytes, fault, next) => {
    const content = randomBytes(bytes)
    const path = await uploadPath(content)
    s3.fail((method, ...rest) => (method === 'PUT' ? fault(method, ...rest) : undefined))
    const outcome = await sendAndGoOn(door(), head(`PUT ${path}`, `Content-Length: ${bytes}`), content)
    s3.fail(() => undefined)
    expect(outcome).toMatchObject({ first: { status: 503 }, isReset: false })
    // Over TLS, all of it may have arrived by then.
    expect([next, 200]).toContain(outcome.next)
  })

  const json = 'Content-Type: application/json'
  const long = `Content-Length: ${2 << 20}`
  const chunked = 'Transfer-Encoding: chunked'
  const inMiddle = Buffer.concat([Buffer.from('b00000\r\n'), mebibytes(11), Buffer.from('\r\n')])
  const chunk = Buffer.from('a\r\n{"a":"abcd\r\n')

  it.each<[string, number, string[], Buffer[], number | 'closes']>([
    ['POST /v1/deployments', 401, [json, long], [mebibytes(2)], 'closes'],
    ['POST /trpc/projects.put', 401, [json, long], [mebibytes(2)], 'closes'],
    ['POST /v1/deployments', 401, ['Content-Type: application/zip', chunked], [chunk], 'closes'],
    ['POST /v1/deployments', 401, [json, 'Content-Length: 60000'], [Buffer.alloc(60_000)], 200],
    ['PUT /uploads/x', 401, [long], [mebibytes(2)], 'closes'],
    ['PUT /nothing', 404, [long], [mebibytes(2)], 'closes'],
    ['POST /healthz', 405, [json, chunked], [chunk], 'closes'],
    ['GET /healthz', 200, [long], [mebibytes(2)], 'closes'],
    ['POST /auth/sign-in/email', 400, ['Content-Type: a/b', long], [mebibytes(2)], 'closes'],
  ])('%s that is %d before its body was read', async (line, status, fields, body, next) => {
    const outcome = await sendAndGoOn(door(), head(line, ...fields), ...body)
    expect(outcome).toMatchObject({ first: { status }, next, isReset: false })
  })

  it.each<[string, number, string[], Buffer[]]>([
    ['that is too large', 413, [json, `Content-Length: ${64 << 20}`], [mebibytes(1)]],
    ['that turns out too large', 413, [json, chunked], [inMiddle]],
    ['of another type', 400, ['Content-Type: text/plain', long], [mebibytes(2)]],
    ['with an encoding', 400, [json, 'Content-Encoding: gzip', long], [mebibytes(2)]],
    ['that is no zip', 400, ['Content-Type: application/zip', 'Content-Encoding: br', long], [mebibytes(2)]],
  ])('a body of a team %s', async (_what, status, fields, body) => {
    const outcome = await sendAndGoOn(door(), head('POST /v1/deployments', auth, ...fields), ...body)
    expect(outcome).toMatchObject({ first: { status }, next: 'closes', isReset: false })
  })
})

it('a short body that comes long after its refusal leaves the connection as it is', async () => {
  const connection = await connectRaw(node)
  connection.send(head('POST /v1/deployments', 'Content-Length: 4'))
  expect((await connection.answer()).headers.get('connection')).toBe('keep-alive')
  await new Promise((resolve) => setTimeout(resolve, 2 * timeouts.lingerMs))
  connection.send(`null${head('GET /healthz')}`)
  expect((await connection.answer()).status).toBe(200)
  connection.socket.destroy()
})

it('a connection is closed when the rest of a refused body does not arrive', async () => {
  const connection = await connectRaw(node)
  connection.send(head('PUT /v1/projects/a', 'Content-Length: 50'))
  expect((await connection.answer()).status).toBe(401)
  expect(await connection.ended()).toEqual([])
})
