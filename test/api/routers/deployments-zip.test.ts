/** A zip as the files of a deployment. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { visit } from '../../platform/deployments/steps.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { sharedNode, startTestNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { type ZipEntry, zipOf } from '../../support/zip.ts'

let node: TestNode
let small: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  small = await startTestNode({
    SVC_MAX_FILES: '3',
    SVC_MAX_FILE_BYTES: '100',
    SVC_MAX_DEPLOYMENT_BYTES: '250',
    SVC_STORAGE_FREE: '1000',
  })
})

afterAll(() => small.stop())

beforeEach(async () => {
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

type Options = { query?: string; headers?: Record<string, string>; at?: TestNode; by?: TestTeam }

async function send(
  body: Buffer | ReadableStream,
  { query = 'project=web', headers, at = node, by = team }: Options = {},
) {
  knowSecret('a credential', by.ownerKey)
  const response = await fetch(`${at.apiUrl}/v1/deployments?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.ownerKey}`, 'content-type': 'application/zip', ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: every answer is held against the document of the API.
  const answer: any = await response.json()
  return { status: response.status, body: answer }
}

const site: ZipEntry[] = [
  { path: 'index.html', content: '<h1>Hello</h1>' },
  { path: 'assets/app.js', content: `//${'x'.repeat(200_000)}`, isDeflated: false },
  { path: '_redirects', content: '/old /new 301' },
]

const secrets: ZipEntry[] = [
  { path: '.env', content: 'PASSWORD=x' },
  { path: '.git/config', content: '[remote "origin"]' },
  { path: '.git/HEAD', content: 'ref: refs/heads/main' },
]

/** The waiting files in the node's data directory. */
const waiting = (at = node) => readdir(join(at.settings.SVC_DATA_DIR, 'zips'))

describe('POST /v1/deployments with a zip', () => {
  it('has the names and links of the folder that it was made of', async () => {
    const names = [
      { path: '', rawName: Buffer.from('u\u0308n\u00ef.txt'), content: 'one' },
      { path: '', rawName: Buffer.from('\x81\x84name.txt', 'latin1'), content: 'two' },
      { path: 'three.txt', content: '\u00fcn\u00ef.txt', mode: 0o120_777 },
    ]
    const { status, body } = await send(zipOf([...site, ...names]))
    expect([status, body.files]).toEqual([200, 6])
    for (const [path, content] of [
      ['/%C3%BCn%C3%AF.txt', 'one'],
      ['/%C3%BC%C3%A4name.txt', 'two'],
      ['/three.txt', 'one'],
    ] as const)
      expect(await visit(body.url, path)).toMatchObject({ status: 200, body: content })
  })

  it('refuses a link to what is never deployed, and one out of it', async () => {
    for (const [target, problem] of [
      ['.env', 'is a link to .env, which is never deployed'],
      ['../.env', 'is a link, but not to a file of the zip'],
    ] as const) {
      const link = { path: 'public.txt', content: target, mode: 0o120_777 }
      const { status, body } = await send(zipOf([...site, ...secrets, link]))
      expect([status, body.message]).toEqual([400, `zip: "public.txt" ${problem}`])
    }
  })

  it('leaves out what is never deployed, and names it in the response to the zip', async () => {
    const headers = { 'idempotency-key': 'with-secrets' }
    const { status, body } = await send(zipOf([...site, ...secrets]), { headers })
    expect([status, body]).toMatchObject([200, { files: 3, left_out: ['.env', '.git'] }])
    const message = 'is never deployed, and was left out.'
    const warnings = [
      { path: '.env', message },
      { path: '.git', message },
    ]
    expect((await team.owner('GET', `/v1/deployments/${body.id}`)).body.warnings).toEqual(warnings)
    expect((await send(zipOf([...site, ...secrets]), { headers })).body).toEqual(body)
    for (const { path } of secrets) expect((await visit(body.url, `/${path}`)).status).toBe(404)
    expect((await send(zipOf(site))).body).not.toHaveProperty('left_out')
    const only = await send(zipOf(secrets))
    expect([only.status, only.body.message]).toEqual([
      400,
      'zip: has nothing but what is never deployed: .env, .git',
    ])
  })

  it('deploys its files, with the fields of the query', async () => {
    const query = 'project=web&target=production&meta.branch=main&meta.a.b=c%26d'
    const { status, body } = await send(zipOf(site), { query })
    expect([status, body]).toMatchObject([200, { state: 'ready', live: true, files: 3 }])
    expect(body.meta).toEqual({ branch: 'main', 'a.b': 'c&d' })
    expect(await visit(body.url)).toEqual({ status: 200, body: '<h1>Hello</h1>' })
    expect((await visit(body.url, '/assets/app.js')).body).toHaveLength(200_002)
    expect((await visit(body.url, '/old')).status).toBe(301)
    expect(await waiting()).toEqual([])
  })

  it('accepts one that arrives slowly, in chunks', async () => {
    const zip = zipOf(site)
    const parts = [zip.subarray(0, 10), zip.subarray(10, 300), zip.subarray(300)].values()
    const body = new ReadableStream({
      pull(controller) {
        const { value, done } = parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    })
    expect(await send(body)).toMatchObject({ status: 200, body: { files: 3 } })
  })

  it('stores nothing that the team already has, and takes effect once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'zip' }
    const first = await send(zipOf(site), { headers })
    // Another zip of the same files.
    const again = await send(zipOf(site.map((entry) => ({ ...entry, isDeflated: true }))), { headers })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    const other = await send(zipOf([{ path: 'index.html', content: 'other' }]), { headers })
    expect(other).toMatchObject({ status: 409, body: { reason: 'idempotency_key_reused' } })
    expect((await team.owner('GET', '/v1/deployments')).body.data).toHaveLength(1)
    const stored = () => node.installation.store.db.$count(blobs, eq(blobs.teamId, team.id))
    expect(await stored()).toBe(3)
    expect((await send(zipOf(site))).status).toBe(200)
    expect(await stored()).toBe(3)
  })

  it.each<[string, string, string]>([
    ['no project', 'target=preview', 'project'],
    ['an unknown field', 'project=web&branch=main', 'branch'],
    ['a repeated field', 'project=web&project=web', 'project'],
    ['another target', 'project=web&target=staging', 'target'],
    ['files', 'project=web&files=a', 'files'],
    ['meta as one value', 'project=web&meta=a', 'meta'],
    ['a key of meta that is too long', `project=web&meta.${'a'.repeat(101)}=1`, `meta.${'a'.repeat(101)}`],
  ])('400 for a query with %s', async (_what, query, path) => {
    const { status, body } = await send(zipOf(site), { query })
    expect([status, body.reason, body.issues?.[0]?.path]).toEqual([400, 'invalid_input', path])
  })

  it.each<[string, Buffer, RegExp]>([
    ['a path that escapes', zipOf([{ path: '../a' }]), /^zip: "\.\.\/a" must not contain a \.\. segment/],
    ['a lie', zipOf([{ path: 'a', content: 'hello', claims: { size: 3 } }]), /^zip: "a" can not be read/],
    ['no zip', Buffer.from('hello'), /^zip: can not be read/],
    ['nothing', Buffer.alloc(0), /^zip: can not be read/],
    ['an invalid rule', zipOf([{ path: '_redirects', content: '/a' }]), /_redirects, line 1/],
  ])('400 for %s, and nothing remains', async (_what, zip, message) => {
    const { status, body } = await send(zip)
    expect([status, body.reason]).toEqual([400, 'invalid_input'])
    expect(body.message).toMatch(message)
    expect(await waiting()).toEqual([])
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it.each([
    'application/x-zip-compressed',
    'application/x-zip',
    'Application/Zip',
    'application/zip; charset=binary',
  ])('may have the type %s', async (type) => {
    const { status, body } = await send(zipOf(site), { headers: { 'content-type': type } })
    expect([status, body.files]).toEqual([200, 3])
  })

  it.each([
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/x-tar',
    'text/plain',
  ])('400 for the type %s, with the one to send', async (type) => {
    const { status, body } = await send(zipOf(site), { headers: { 'content-type': type } })
    expect([status, body.reason]).toEqual([400, 'unsupported_content_type'])
    expect(body.message).toContain('Content-Type: application/zip')
    expect(body.message).toContain('--data-binary @site.zip')
    expect(body.message).toContain('Content-Type: application/json')
  })

  it('400 for no type, with the one to send', async () => {
    const response = await fetch(`${node.apiUrl}/v1/deployments?project=web`, {
      method: 'POST',
      headers: { authorization: `Bearer ${team.ownerKey}` },
      body: zipOf(site),
    })
    expect(await response.json()).toMatchObject({
      reason: 'unsupported_content_type',
      message: expect.stringContaining('Content-Type: application/zip'),
    })
  })

  it('400 with --data-binary where something else than the zip was sent', async () => {
    const zip = zipOf(site)
    const form = Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data\r\n\r\n'), zip])
    const others = {
      'without line ends and null bytes': zip.filter((byte) => ![0, 10, 13].includes(byte)),
      'without line ends': Buffer.concat([zip.subarray(0, 40), zip.subarray(41)]),
      'up to a null byte': zip.subarray(0, 5),
      'as a form': Buffer.concat([form, Buffer.from('\r\n--x--\r\n')]),
      'by its name': Buffer.from('@site.zip'),
    }
    for (const [how, bytes] of Object.entries(others)) {
      const { status, body } = await send(Buffer.from(bytes))
      expect([how, status, body.reason]).toEqual([how, 400, 'invalid_input'])
      expect(body.message, how).toMatch(/^zip: .*\. The body has to be the zip as it is: .*--data-binary/)
      expect(body.issues).toEqual([{ path: 'zip', message: body.message.slice('zip: '.length) }])
    }
    expect((await send(Buffer.from('hello'))).body.message).not.toContain('--data-binary')
    expect((await send(zipOf([{ path: '../a' }]))).body.message).not.toContain('--data-binary')
  })

  it('404 for an unknown project, 400 for another content type', async () => {
    expect(await send(zipOf(site), { query: 'project=other' })).toMatchObject({
      status: 404,
      body: { reason: 'project_not_found' },
    })
    const headers = { 'content-type': 'application/x-tar' }
    expect(await send(zipOf(site), { headers })).toMatchObject({
      status: 400,
      body: { reason: 'unsupported_content_type' },
    })
    expect(await send(zipOf(site), { headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      status: 400,
      body: { reason: 'unsupported_content_encoding' },
    })
    const put = await fetch(`${node.apiUrl}/v1/projects/web`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/zip' },
      body: zipOf(site),
    })
    expect(put.status).toBe(400)
  })

  it('401 when the key was revoked while the zip was sent', async () => {
    const { key, userId } = await addMember(node, team)
    const { body: keys } = await team.owner('GET', '/v1/apikeys')
    const mine = keys.data.find(({ name }: { name: string }) => name === 'member')
    const zip = zipOf(site)
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(zip.subarray(0, 100)),
      async pull(controller) {
        await team.owner('DELETE', `/v1/apikeys/${mine.id}`)
        controller.enqueue(zip.subarray(100))
        controller.close()
      },
    })
    const answer = await send(body, { by: { ...team, ownerId: userId, ownerKey: key } })
    expect(answer).toMatchObject({ status: 401, body: { reason: 'unauthorized' } })
    expect((await team.owner('GET', '/v1/deployments')).body.data).toEqual([])
  })

  it('deploys thousands of files', { tags: 'long' }, async () => {
    const entries = Array.from({ length: 5_000 }, (_, i) => ({
      path: `${i % 100}/${i}.html`,
      content: `page ${i}`,
    }))
    const { status, body } = await send(zipOf(entries))
    expect([status, body.files]).toEqual([200, 5_000])
    expect(await visit(body.url, '/99/4999')).toEqual({ status: 200, body: 'page 4999' })
  })

  it('leaves nothing when the client disconnects in the middle', async () => {
    const controller = new AbortController()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(zipOf(site).subarray(0, 100)),
      pull: () => controller.abort(),
    })
    await expect(
      fetch(`${node.apiUrl}/v1/deployments?project=web`, {
        method: 'POST',
        headers: { authorization: `Bearer ${team.ownerKey}`, 'content-type': 'application/zip' },
        body,
        duplex: 'half',
        signal: controller.signal,
      }),
    ).rejects.toThrow()
    expect(await waiting()).toEqual([])
  })
})

describe('the caps and the quota', () => {
  let other: TestTeam
  const bytes = (size: number, seed = 'x') => seed.repeat(size)
  const deploySmall = (entries: ZipEntry[]) => send(zipOf(entries), { at: small, by: other })

  beforeEach(async () => {
    other = await newTeam(small)
    await other.owner('PUT', '/v1/projects/web')
  })

  it.each<[string, ZipEntry[], RegExp]>([
    ['a file too many', ['a', 'b', 'c', 'd'].map((path) => ({ path })), /more than 3 files/],
    ['a file too large', [{ path: 'a', content: bytes(101) }], /"a" has more than 100 bytes/],
    [
      'a byte too many in total',
      ['a', 'b', 'c'].map((path) => ({ path, content: bytes(84) })),
      /more than 250 bytes when unpacked/,
    ],
  ])('apply: %s', async (_what, entries, message) => {
    const { status, body } = await deploySmall(entries)
    expect([status, body.reason]).toEqual([400, 'invalid_input'])
    expect(body.message).toMatch(message)
  })

  it('413 for a zip that is larger than any deployment, by its length or in chunks', async () => {
    const zip = Buffer.alloc(250 + 3 * 4_096 + 1)
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(zip)
        controller.close()
      },
    })
    for (const body of [zip, chunked]) {
      expect(await send(body, { at: small, by: other })).toMatchObject({
        status: 413,
        body: { reason: 'body_too_large' },
      })
    }
  })

  it('403 storage_quota when the files exceed it, counted as they are unpacked', async () => {
    const page = (i: number) =>
      [0, 1].map((j) => ({ path: `${j}`, content: bytes(100, `${i}${j}`).slice(0, 100) }))
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await deploySmall(page(i))).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 403])
    expect(await waiting(small)).toEqual([])
  })
})
