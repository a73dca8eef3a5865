/**
 * The last release and this version on one database, as during an upgrade.
 * @module-tag long
 */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newHome } from '../cli/svc.ts'
import { byDigest, upload } from '../platform/deployments/steps.ts'
import { type Receiver, startReceiver } from '../platform/webhooks/receiver.ts'
import type { Answer } from '../support/api.ts'
import { createEmptyDatabase } from '../support/databases.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { postgresUrl } from '../support/postgres.ts'
import { buildLastRelease } from '../support/previous-version.ts'
import { newDataDirectory, type Program, startOnWhatIsThere, visit } from '../support/program.ts'
import { hasSandbox } from '../support/sandbox.ts'

const server = await postgresUrl()
const sandboxed = await hasSandbox()
const encryptionKey = Buffer.alloc(32, 1).toString('base64')

let main: string

beforeAll(async () => {
  main = await buildLastRelease()
}, 600_000)

const startOld = (environment: Record<string, string>) =>
  startOnWhatIsThere(environment, main, { isThisVersion: false })

type Call = (method: string, path: string, body?: object) => Promise<Omit<Answer, 'headers'>>

function callsOf({ apiUrl }: Program, key: string): Call {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(apiUrl + path, init)
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
}

async function done<A extends { status: number }>(call: Promise<A>): Promise<A> {
  const answer = await call
  expect(answer.status, JSON.stringify(answer)).toBe(200)
  return answer
}

/** Deploys a page by upload, and promotes it in a step of its own. */
async function deploy(call: Call, project: string, content: string): Promise<void> {
  await done(call('PUT', `/v1/projects/${project}`, { env: [{ key: 'TOKEN', value: 'kept' }] }))
  const body = { project, files: [byDigest('index.html', content), { path: 'inline.txt', content }] }
  const first = await call('POST', '/v1/deployments', body)
  for (const { upload_url } of first.body.missing ?? [])
    expect((await upload(upload_url, content)).status).toBe(200)
  const made = first.status === 200 ? first : await done(call('POST', '/v1/deployments', body))
  expect(made.body.state).toBe('ready')
  await done(call('POST', `/v1/deployments/${made.body.id}/promote`))
}

/** Deploys a server that answers with the text. */
async function deployServer(call: Call, project: string, text: string): Promise<void> {
  await done(call('PUT', `/v1/projects/${project}`))
  const content = `require('node:http').createServer((_, response) => response.end('${text}'))
    .listen(process.env.PORT)`
  const files = [{ path: 'server.js', content }]
  const body = { project, target: 'production', files, build: { start: 'node server.js' } }
  const { id } = (await done(call('POST', '/v1/deployments', body))).body
  const state = async () => (await call('GET', `/v1/deployments/${id}?wait_s=10`)).body.state
  await expect.poll(state, { timeout: 60_000 }).toBe('ready')
}

const soon = { timeout: 10_000, interval: 100 }

describe.runIf(server)('on PostgreSQL', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let environment: Record<string, string>
  let directory: string
  let receiver: Receiver
  let dns: DnsServer
  let old: Program
  let key: string
  let api: Call

  async function newDirectory(): Promise<string> {
    const made = await newDataDirectory()
    cleanUps.push(() => rm(made, { recursive: true, force: true }))
    return made
  }

  function ends(program: Program): Program {
    cleanUps.push(() => program.end('SIGTERM'))
    return program
  }

  beforeAll(async () => {
    const database = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    receiver = await startReceiver()
    cleanUps.push(() => receiver.close())
    dns = await startDnsServer()
    cleanUps.push(() => dns.close())
    environment = {
      DATABASE_URL: database.url,
      SVC_ENCRYPTION_KEY: encryptionKey,
      SVC_DATABASE_CONNECTIONS: '1',
      SVC_WEBHOOKS_ALLOW_PRIVATE: '1',
      SVC_RESOLVERS: dns.address,
    }
    directory = await newDirectory()
    old = ends(await startOld({ ...environment, SVC_DATA_DIR: directory }))
    key = old.key ?? ''
    api = callsOf(old, key)
  }, 120_000)

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  const page = async (at: Program, label: string, path = '/') => (await visit(at.siteUrl(label) + path)).text

  const delivered = (text: string) => () => receiver.received.filter(({ body }) => body.includes(text)).length

  async function domainAt(at: Program, name: string): Promise<string> {
    const { port } = new URL(at.siteUrl('x'))
    return (await visit(`http://${name}:${port}/`)).text
  }

  async function claim(call: Call, name: string, project: string): Promise<void> {
    const { body } = await done(call('PUT', `/v1/domains/${name}`, { project }))
    dns.set(body.verification[0].name, 'TXT', [body.verification[0].value])
    expect((await call('POST', `/v1/domains/${name}/verify`)).body.verified).toBe(true)
  }

  /** Whether the bytes of all files by the counter that both versions keep are those that are counted. */
  async function isCounted(): Promise<boolean> {
    const sql = postgres(environment.DATABASE_URL ?? '', { max: 1 })
    const [row] = await sql`
      select (select sum(used_bytes) from storage) =
        (select sum(size + coalesce(br_size, 0) + coalesce(gzip_size, 0)) from blobs) as counted`
    await sql.end()
    return row?.counted
  }

  // Files are being compressed.
  const expectCounted = () => expect.poll(isCounted, soon).toBe(true)

  it('a node of its own is refused, and says which setting it lacks', async () => {
    await deploy(api, 'before', 'made before')
    const events = ['project.created', 'deployment.ready', 'deployment.promoted']
    await done(api('POST', '/v1/webhooks', { url: receiver.url, events }))
    await claim(api, 'before.example.com', 'before')
    const record = { name: 'www', type: 'TXT', value: 'kept' }
    await done(api('POST', '/v1/domains/before.example.com/records', record))
    const own = startOnWhatIsThere({ ...environment, SVC_DATA_DIR: await newDirectory() })
    await expect(own).rejects.toThrow(/Of \d files that this database references, 0 exist .* set SVC_BLOBS/)
    // It has migrated the database, and the old one goes on.
    expect(await page(old, 'before')).toBe('made before')
  }, 120_000)

  let fresh: Program
  let freshDirectory: string
  let calls: Call

  it('a node that shares the files of the old one starts, migrates, and has everything', async () => {
    freshDirectory = await newDirectory()
    await mkdir(freshDirectory, { recursive: true })
    await symlink(join(directory, 'blobs'), join(freshDirectory, 'blobs'))
    fresh = ends(await startOnWhatIsThere({ ...environment, SVC_DATA_DIR: freshDirectory }))
    calls = callsOf(fresh, key)
    expect(fresh.key).toBeUndefined()
    expect(await page(fresh, 'before')).toBe('made before')
    expect(await domainAt(fresh, 'before.example.com')).toBe('made before')
    // Its addresses are what they were: those of branches are for new projects.
    const before = { env: [{ key: 'TOKEN' }], branch_addresses: false }
    expect((await calls('GET', '/v1/projects/before')).body).toMatchObject(before)
    const { body: records } = await calls('GET', '/v1/domains/before.example.com/records')
    expect(records.data).toContainEqual(expect.objectContaining({ type: 'TXT', value: 'kept' }))
  }, 120_000)

  it('the old one keeps deploying, promoting, serving, delivering and logging beside the new', async () => {
    await deploy(api, 'by-old', 'made by the old one')
    for (const at of [old, fresh]) {
      await expect.poll(() => page(at, 'by-old'), soon).toBe('made by the old one')
      expect(await page(at, 'by-old', '/inline.txt')).toBe('made by the old one')
    }
    await expect.poll(delivered('by-old'), soon).toBeGreaterThan(0)
    await claim(api, 'by-old.example.net', 'by-old')
    await expect.poll(() => domainAt(fresh, 'by-old.example.net'), soon).toBe('made by the old one')
    const { body: made } = await api('POST', '/v1/apikeys', { name: 'by old' })
    const ofKey = callsOf(fresh, made.token)
    expect((await ofKey('GET', '/v1/projects')).status).toBe(200)
    expect((await api('DELETE', `/v1/apikeys/${made.id}`)).status).toBe(200)
    await expect.poll(async () => (await ofKey('GET', '/v1/projects')).status, soon).toBe(401)
    for (const call of [api, calls]) {
      const messages = async () =>
        (await call('GET', '/v1/logs?kind=audit&limit=100')).body.data.map(
          ({ fields }: { fields: { type?: string } }) => fields.type,
        )
      await expect.poll(messages, soon).toContain('key.revoked')
      const requests = async () => (await call('GET', '/v1/logs?kind=request&limit=100')).body.data.length
      await expect.poll(requests, soon).toBeGreaterThan(0)
    }
    await expectCounted()
  }, 120_000)

  it('the old one has what the new one does', async () => {
    await deploy(calls, 'by-new', 'made by the new one')
    await deploy(calls, 'by-old', 'replaced by the new one')
    for (const at of [old, fresh]) {
      await expect.poll(() => page(at, 'by-new'), soon).toBe('made by the new one')
      await expect.poll(() => page(at, 'by-old'), soon).toBe('replaced by the new one')
    }
    await expect.poll(delivered('by-new'), soon).toBeGreaterThan(0)
    expect((await api('GET', '/v1/projects/by-new')).status).toBe(200)
    // Files that both have are stored once.
    const same = { project: 'by-new', files: [byDigest('index.html', 'made by the old one')] }
    expect((await calls('POST', '/v1/deployments', same)).status).toBe(200)
    await expectCounted()
  }, 120_000)

  /** What the server of a site answers, where one can run. */
  const expectServer = async () => {
    if (sandboxed) await expect.poll(() => page(fresh, 'served'), soon).toBe('made by a server')
  }

  it('the old one starts again on the migrated database, and leaves servers alone', async () => {
    await old.end('SIGTERM')
    if (sandboxed) await deployServer(calls, 'served', 'made by a server')
    await expectServer()
    old = ends(await startOld({ ...environment, SVC_DATA_DIR: directory }))
    api = callsOf(old, key)
    expect(await page(old, 'by-new')).toBe('made by the new one')
    await deploy(api, 'again', 'made after a restart')
    await expect.poll(() => page(fresh, 'again'), soon).toBe('made after a restart')
    await expectServer()
  }, 120_000)

  it('everything is there once the old one has stopped', async () => {
    await old.end('SIGTERM')
    for (const [label, text] of [
      ['before', 'made before'],
      ['by-old', 'replaced by the new one'],
      ['by-new', 'made by the new one'],
      ['again', 'made after a restart'],
    ] as const)
      expect(await page(fresh, label)).toBe(text)
    await expectServer()
    const names = (await calls('GET', '/v1/projects')).body.data.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual([
      'again',
      'before',
      'by-new',
      'by-old',
      ...(sandboxed ? ['served'] : []),
    ])
    expect((await calls('GET', '/v1/domains')).body.data).toHaveLength(2)
    await calls('PUT', '/v1/projects/after')
    await expect.poll(delivered('"after"'), soon).toBeGreaterThan(0)
    expect(fresh.stderr()).not.toContain('corrected the stored bytes')
    const { svc } = await newHome()
    await fresh.end('SIGTERM')
    const env = { ...environment, SVC_DATA_DIR: freshDirectory }
    expect(await svc(['admin', 'check', '--deep'], { env })).toMatchObject({ code: 0 })
  }, 120_000)
})

it('an embedded database is upgraded by starting the new version on its data directory', async () => {
  const directory = await newDataDirectory()
  const old = await startOld({ SVC_DATA_DIR: directory })
  const key = old.key ?? ''
  await deploy(callsOf(old, key), 'site', 'from the old one')
  await old.end('SIGTERM')
  const fresh = await startOnWhatIsThere({ SVC_DATA_DIR: directory })
  expect((await visit(fresh.siteUrl('site'))).text).toBe('from the old one')
  await deploy(callsOf(fresh, key), 'site', 'from the new one')
  expect((await visit(fresh.siteUrl('site'))).text).toBe('from the new one')
  await fresh.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
}, 120_000)
