/** A site of thousands of files is served like any other, and never read as a whole. */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createLookUp } from '../../../src/platform/limits/limit-look-ups.ts'
import { createManifests } from '../../../src/roles/edge/manifests.ts'
import { deployments } from '../../../src/stores/db/schema/projects.ts'
import { sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'
import { startOrigin } from './forward/origin.ts'
import { createTestServers } from './forward/servers.ts'

let edge: Edge

beforeAll(async () => {
  edge = await startEdge()
})

afterAll(() => edge.close())

const files = {
  'index.html': 'home '.repeat(100),
  'about.html': 'about',
  'docs/index.html': 'docs',
  '404.html': 'not here',
  'app.js': 'script '.repeat(100),
  'app-B2dQ7xZ1.js': 'hashed',
  'caf\u00e9.html': 'coffee',
  _redirects: '/old/* /new/:splat 301\n/app/* /about.html 200\n/forced /docs/ 200!',
  _headers: '/docs/*\n  X-Team: docs',
}

const paths = [
  ...[
    '/',
    '/about',
    '/about.html',
    '/docs',
    '/docs/',
    '/docs/index.html',
    '/app.js',
    '/app-B2dQ7xZ1.js',
    '/caf%C3%A9',
    '/cafe%CC%81',
  ],
  ...[
    '/nothing',
    '/nothing/',
    '/nothing.js',
    '//about',
    '/a%0Ab',
    '/old/x',
    '/app/y',
    '/forced',
    '/_redirects',
  ],
  ...['/bulk/7.txt', '/bulk/9999.txt', '/about?x=1'],
]

/** A live site, and a function that makes it a large one. */
async function liveSite(): Promise<{ site: TestSite; manifestId: number; enlarge: () => Promise<void> }> {
  const site = await newSite(edge)
  const deployed = await site.deploy({ ...files, 'bulk/7.txt': 'seven' })
  await site.promote(deployed.id)
  const { db } = edge.store
  const [row] = await db.select().from(deployments).where(eq(deployments.id, deployed.id))
  const manifestId = row?.manifestId ?? expect.unreachable()
  const enlarge = async () => {
    await db.execute(sql`
      insert into manifest_entries (manifest_id, path, blob_id)
      select ${manifestId}, 'more/' || n || '.txt',
        (select min(blob_id) from manifest_entries where manifest_id = ${manifestId})
      from generate_series(1, 2500) n`)
  }
  return { site, manifestId, enlarge }
}

/** Another edge of the same sites, whose cache is empty. */
async function anotherEdge(changes: Parameters<typeof startEdge>[0] = {}): Promise<Edge> {
  const other = await startEdge({ blobs: edge.blobs, ...changes })
  onTestFinished(() => other.close())
  return other
}

async function answersOf({ port }: Edge, host: string) {
  const answers = []
  for (const path of paths) {
    const { status, headers, text } = await sendRequest(port, host, path, { 'accept-encoding': 'br' })
    const { date, ...others } = headers
    answers.push({ path, status, headers: others, text })
  }
  return answers
}

it.each([false, true])(
  'every path gets the same response as when the site was small (spa: %s)',
  async (spa) => {
    const { site, enlarge } = await liveSite()
    await site.configure({ spa })
    await site.markBlobs()
    await site.compress()
    const small = await answersOf(await anotherEdge(), site.host)
    expect(new Set(small.map(({ status }) => status))).toEqual(new Set([200, 301, 308, 400, 404]))
    await enlarge()
    const large = await anotherEdge()
    expect(await answersOf(large, site.host)).toEqual(small)
    // From memory.
    expect(await answersOf(large, site.host)).toEqual(small)
    expect((await sendRequest(large.port, site.host, '/more/1234.txt')).status).toBe(200)
  },
)

it('takes next to no memory, and requested paths are served also without the database', async () => {
  const { site, manifestId, enlarge } = await liveSite()
  const { db } = edge.store
  const whole = await createManifests(edge.store).get(manifestId, site)
  await enlarge()
  const manifests = createManifests(edge.store)
  const manifest = await manifests.get(manifestId, site)
  expect(manifest.size).toBeLessThan(whole.size)
  expect(manifest.has('more/1.txt')).toBe(false)

  const { port } = await anotherEdge()
  expect((await sendRequest(port, site.host, '/more/1.txt')).status).toBe(200)
  await db.execute(sql`alter table manifest_entries rename to entries_that_are_away`)
  onTestFinished(async () => {
    await db.execute(sql`alter table if exists entries_that_are_away rename to manifest_entries`)
  })
  expect((await sendRequest(port, site.host, '/more/1.txt')).status).toBe(200)
  expect((await sendRequest(port, site.host, '/more/2.txt')).status).toBe(500)
  await db.execute(sql`alter table entries_that_are_away rename to manifest_entries`)
  expect((await sendRequest(port, site.host, '/more/2.txt')).status).toBe(200)
})

it('serves compressed forms soon after they are made', async () => {
  const { site, enlarge } = await liveSite()
  await enlarge()
  await site.markBlobs()
  const { port } = await anotherEdge()
  const coding = async () =>
    (await sendRequest(port, site.host, '/app.js', { 'accept-encoding': 'br' })).headers['content-encoding']
  expect(await coding()).toBeUndefined()
  await site.compress()
  await expect.poll(coding, { timeout: 15_000, interval: 200 }).toBe('br')
})

it('limits how often an address can make it search for missing files', async () => {
  const { site, enlarge } = await liveSite()
  await enlarge()
  const { port } = await anotherEdge({ lookUp: createLookUp({ perSecond: 1, burst: 5 }, () => 0) })
  const get = async (path: string) => (await sendRequest(port, site.host, path)).status
  for (let i = 1; i <= 20; i += 1) expect(await get(`/more/${i}.txt`)).toBe(200)
  for (let i = 1; i <= 5; i += 1) expect(await get(`/none/${i}`)).toBe(404)
  await sleep(10)
  expect(await get('/none/6')).toBe(429)
  expect([await get('/none/1'), await get('/more/1.txt'), await get('/')]).toEqual([404, 200, 429])
})

it('never limits paths of a server', async () => {
  const own = await startOrigin((req, res) => res.end(req.url), 'socket')
  onTestFinished(() => own.close())
  const site = await newSite(edge)
  const { id } = await site.deploy({ 'a.txt': 'a file' }, { hasServer: true })
  await site.promote(id)
  const { db } = edge.store
  await db.execute(sql`
    insert into manifest_entries (manifest_id, path, blob_id)
    select d.manifest_id, 'more/' || n || '.txt', e.blob_id
    from deployments d join manifest_entries e on e.manifest_id = d.manifest_id, generate_series(1, 2500) n
    where d.id = ${id}`)
  const { port } = await anotherEdge({
    lookUp: createLookUp({ perSecond: 1, burst: 5 }, () => 0),
    servers: createTestServers(() => own),
  })
  const get = async (path: string) => (await sendRequest(port, site.host, path)).text
  for (let i = 1; i <= 20; i += 1) expect(await get(`/none/${i}`)).toBe(`/none/${i}`)
  expect([await get('/a.txt'), await get('/a'), await get('/more/7.txt')]).toEqual(['a file', '/a', 'a file'])
})
