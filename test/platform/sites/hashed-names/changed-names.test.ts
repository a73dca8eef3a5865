/** A name under which a file has changed is not believed to have a hash of its content. */
import { request } from 'node:http'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { nameHistories } from '../../../../src/stores/db/schema/name-histories.ts'
import { deployments } from '../../../../src/stores/db/schema/projects.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { deploy } from '../../deployments/steps.ts'

const path = 'assets/index-DiwrgTda.js'
const lasting = 'public, max-age=31536000, immutable'
const revalidated = 'public, max-age=0, must-revalidate'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
})

type Site = { id: string; url: string; aliases: string[] }

/** Deploys text by path, beside a page. */
async function deployTexts(texts: Record<string, string>, target = 'production'): Promise<Site> {
  const files = Object.entries({ 'index.html': 'home', ...texts }).map(([path, content]) => ({
    path,
    content,
  }))
  return deploy(team, { target, files })
}

/** The `Cache-Control` of a file of the site, until compressed forms of it no longer matter. */
function cachingOf(url: string, file = path): Promise<string | undefined> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${hostname}:${port}` }
    const sent = request({ host: '127.0.0.1', port, path: `/${file}`, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.headers['cache-control']?.replace(' s-maxage=60,', ''))
    })
    sent.on('error', reject).end()
  })
}

const deleteSite = async ({ id }: Site) => {
  expect((await team.owner('DELETE', `/v1/deployments/${id}`)).status).toBe(200)
}

it('the same file under the same name is kept for a year, in every deployment', async () => {
  for (const page of ['one', 'two']) {
    const site = await deployTexts({ [path]: 'script', 'about.html': page })
    expect(await cachingOf(site.url)).toBe(lasting)
    expect(await cachingOf(site.aliases[0] ?? '')).toBe(lasting)
  }
})

it.each(['production', 'preview'])(
  'another file under the same name is revalidated, in a %s',
  async (target) => {
    await deployTexts({ [path]: 'first' })
    const { url } = await deployTexts({ [path]: 'second' }, target)
    expect(await cachingOf(url)).toBe(revalidated)
    // Also when it is as it was before.
    expect(await cachingOf((await deployTexts({ [path]: 'first' })).url)).toBe(revalidated)
  },
)

it('an earlier deployment’s file of the name is revalidated, too, once the change is known', async () => {
  const first = await deployTexts({ [path]: 'first', 'assets/other-B2dQ7xZ1.js': 'other' })
  const [host = ''] = first.aliases
  expect(await cachingOf(host)).toBe(lasting)
  await deployTexts({ [path]: 'second' })
  expect(await cachingOf(first.url)).toBe(revalidated)
  expect((await team.owner('POST', `/v1/deployments/${first.id}/promote`)).status).toBe(200)
  expect(await cachingOf(host)).toBe(revalidated)
  expect(await cachingOf(host, 'assets/other-B2dQ7xZ1.js')).toBe(lasting)
})

it('a change is noticed after deployments without the file, and after the first was deleted', async () => {
  const first = await deployTexts({ [path]: 'first' })
  await deployTexts({})
  await deleteSite(first)
  expect(await cachingOf((await deployTexts({ [path]: 'second' })).url)).toBe(revalidated)
})

it('a change is remembered after all deployments with the file were deleted', async () => {
  const changed = [await deployTexts({ [path]: 'first' }), await deployTexts({ [path]: 'second' })]
  await deployTexts({})
  for (const site of changed) await deleteSite(site)
  expect(await cachingOf((await deployTexts({ [path]: 'second' })).url)).toBe(revalidated)
})

it('in another project the name is believed', async () => {
  for (const content of ['first', 'second']) await deployTexts({ [path]: content })
  const files = [{ path, content: 'third' }]
  expect(await cachingOf((await deploy(team, { project: 'other', files })).url)).toBe(lasting)
})

it('a change since a deployment of before histories were kept is noticed', async () => {
  const first = await deployTexts({ [path]: 'first' })
  const { db } = node.installation.store
  const [row] = await db.select().from(deployments).where(eq(deployments.id, first.id))
  await db.delete(nameHistories).where(eq(nameHistories.projectId, row?.projectId ?? ''))
  expect(await cachingOf((await deployTexts({ [path]: 'second' })).url)).toBe(revalidated)
})

it('your own header for the file is sent nevertheless', async () => {
  const _headers = `/${path}\n  Cache-Control: public, max-age=60`
  for (const content of ['first', 'second']) {
    const { url } = await deployTexts({ [path]: content, _headers })
    expect(await cachingOf(url)).toBe('public, max-age=60')
  }
})

it('a project that is deployed several times at once remembers all of them', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => deployTexts({ [`assets/${name}-B2dQ7xZ1.js`]: name })))
  const files = { 'assets/a-B2dQ7xZ1.js': 'a', 'assets/b-B2dQ7xZ1.js': 'new', 'assets/d-B2dQ7xZ1.js': 'new' }
  const { url } = await deployTexts(files)
  const caching = await Promise.all(Object.keys(files).map((file) => cachingOf(url, file)))
  expect(caching).toEqual([lasting, revalidated, revalidated])
})

it('a project with a history can be deleted', async () => {
  await deployTexts({ [path]: 'first' })
  expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
})

it('a deployment keeps the places of hashes: a picture beside scripts of the same style', async () => {
  const files = { 'main.1a2b3c4d.js': 'm', 'style.3f2a1b4c.css': 's', 'logo.9e8d7c6b.png': 'l' }
  expect(await cachingOf((await deployTexts(files)).url, 'logo.9e8d7c6b.png')).toBe(lasting)
})
