/** The host labels of deleted deployments and projects: no other team gets them for 30 days. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expirePreviews } from '../../../src/platform/deployments/expire.ts'
import { freeLabels } from '../../../src/platform/projects/free-labels.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy, visit } from '../deployments/steps.ts'

const dayMs = 24 * 3_600_000

let node: TestNode

beforeAll(async () => {
  // Its labels are only freed by the times that these tests set.
  node = await startOwnNode()
})

afterAll(() => node.stop())

const labelIn = (url: string) => new URL(url).hostname.replace(/\.localhost$/, '')

async function free(aheadMs: number): Promise<void> {
  const { db } = node.installation.store
  while ((await freeLabels({ db, nowMs: Date.now() + aheadMs })) > 0);
}

/** The label of a project that a team creates with this label as its name. */
async function obtain(team: TestTeam, label: string): Promise<string> {
  const { body } = await team.owner('PUT', `/v1/projects/${label}`)
  return labelIn(body.production_url)
}

async function deployed(team: TestTeam) {
  const { id, url, production_url } = { production_url: '', ...(await deploy(team, { project: 'shop' })) }
  return { id, url, label: labelIn(url), production_url }
}

type Way = (team: TestTeam) => Promise<{ label: string; url: string }>

const ways: Record<string, Way> = {
  'a deleted deployment': async (team) => {
    const { id, ...at } = await deployed(team)
    await team.owner('DELETE', `/v1/deployments/${id}`)
    return at
  },
  'an expired preview': async (team) => {
    const at = await deployed(team)
    await team.owner('PUT', '/v1/projects/shop', { preview_ttl_days: 1 })
    const { store } = node.installation
    await expirePreviews({
      store,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      nowMs: Date.now() + dayMs + 60_000,
    })
    return at
  },
  'a deployment of a deleted project': async (team) => {
    const at = await deployed(team)
    await team.owner('DELETE', '/v1/projects/shop')
    return at
  },
  'a deployment of a deleted team': async (team) => {
    const at = await deployed(team)
    await team.owner('DELETE', '/v1/projects/shop')
    expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
    return at
  },
}

it.each(Object.keys(ways))(
  'of %s: 404, and another team can get it after 30 days, not before',
  async (name) => {
    const { label, url } = (await ways[name]?.(await newTeam(node))) ?? { label: '', url: '' }
    const stranger = await newTeam(node)
    expect((await visit(url)).status).toBe(404)
    await free(29 * dayMs)
    expect(await obtain(stranger, label)).toMatch(new RegExp(`^${label}-[0-9a-f]{6}$`))
    // The preview expired a day later than now.
    await free(31 * dayMs + 120_000)
    expect(await obtain(await newTeam(node), label)).toBe(label)
  },
)

it('of a deployment: its own team can get it at once, and then keeps it', async () => {
  const team = await newTeam(node)
  const { id, label } = await deployed(team)
  await team.owner('DELETE', `/v1/deployments/${id}`)
  expect(await obtain(team, label)).toBe(label)
  await free(400 * dayMs)
  const { db } = node.installation.store
  expect(await db.select().from(hosts).where(eq(hosts.label, label))).toHaveLength(1)
})

it.each(['the project', 'the team'])(
  'of a production host stays reserved when %s is deleted',
  async (what) => {
    const team = await newTeam(node)
    const name = unique('gone')
    expect(await obtain(team, name)).toBe(name)
    await team.owner('DELETE', `/v1/projects/${name}`)
    if (what === 'the team') await team.owner('DELETE', `/v1/teams/${team.slug}`)
    await free(400 * dayMs)
    expect(await obtain(await newTeam(node), name)).not.toBe(name)
  },
)

it('of a production host stays when the project is renamed', async () => {
  const [team, stranger] = [await newTeam(node), await newTeam(node)]
  const name = unique('old')
  const { body } = await team.owner('PUT', `/v1/projects/${name}`)
  const renamed = await team.owner('PUT', `/v1/projects/${body.id}`, { name: unique('new') })
  expect(renamed.status).toBe(200)
  await free(400 * dayMs)
  expect(await obtain(stranger, name)).not.toBe(name)
})
