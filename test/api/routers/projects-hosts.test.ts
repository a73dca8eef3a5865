import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { isReservedLabel } from '../../../src/lib/names/reserved-labels.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

/** The host label of a new project. */
async function labelOf(team: TestTeam, name: string): Promise<string> {
  const { body } = await team.owner('PUT', `/v1/projects/${name}`)
  return new URL(body.production_url).hostname.replace(/\.localhost$/, '')
}

describe('the production host of a new project', () => {
  it('is its name', async () => {
    const team = await newTeam(node)
    const name = unique('shop')
    expect(await labelOf(team, name)).toBe(name)
  })

  it('is its name and 6 hex digits if another team has that host', async () => {
    const name = unique('shop')
    await labelOf(await newTeam(node), name)
    const labels = [await labelOf(await newTeam(node), name), await labelOf(await newTeam(node), name)]
    for (const label of labels) expect(label).toMatch(new RegExp(`^${name}-[0-9a-f]{6}$`))
    expect(labels[0]).not.toBe(labels[1])
  })

  it('fits into a DNS label also for the longest name', async () => {
    const name = unique('long').padEnd(40, 'x')
    await labelOf(await newTeam(node), name)
    expect((await labelOf(await newTeam(node), name)).length).toBeLessThanOrEqual(63)
  })

  it.each(['api', 'www', 'ns1', 'ns', 'ns42', 'admin', 'auth', 'mail', 'localhost', 'dashboard'])(
    'is never the reserved label %s itself',
    async (name) => {
      expect(await labelOf(await newTeam(node), name)).toMatch(new RegExp(`^${name}-[0-9a-f]{6}$`))
    },
  )

  it('is never given to two concurrent teams', async () => {
    const name = unique('rush')
    const teams = await Promise.all(Array.from({ length: 6 }, () => newTeam(node)))
    const labels = await Promise.all(teams.map((team) => labelOf(team, name)))
    expect(new Set(labels).size).toBe(6)
    expect(labels).toContain(name)
  })
})

describe('the production host of a deleted project', () => {
  it('is never given to another team', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const name = unique('gone')
    await labelOf(one, name)
    await one.owner('DELETE', `/v1/projects/${name}`)
    expect(await labelOf(two, name)).not.toBe(name)
    await two.owner('DELETE', `/v1/projects/${name}`)
    expect((await db.select().from(hosts).where(eq(hosts.label, name)))[0]?.teamId).toBe(one.id)
  })

  it('is given again to the team that had it', async () => {
    const team = await newTeam(node)
    const name = unique('back')
    await labelOf(team, name)
    await team.owner('DELETE', `/v1/projects/${name}`)
    expect(await labelOf(team, name)).toBe(name)
  })

  it('is given again also with hex digits', async () => {
    const [one, two] = [await newTeam(node), await newTeam(node)]
    const name = unique('back')
    await labelOf(one, name)
    const label = await labelOf(two, name)
    await two.owner('DELETE', `/v1/projects/${name}`)
    expect(await labelOf(two, name)).toBe(label)
  })

  it('is not taken from a project of the same team that still has it', async () => {
    const team = await newTeam(node)
    const name = unique('kept')
    await labelOf(team, name)
    await team.owner('PUT', `/v1/projects/${name}`, { name: `${name}-2` })
    expect(await labelOf(team, name)).toMatch(/-[0-9a-f]{6}$/)
  })
})

describe('a reserved label', () => {
  it.each(['www', 'api', 'auth', 'admin', 'mail', 'ns', 'ns1', 'ns99', 'svc', 'support'])(
    'includes %s',
    (label) => {
      expect(isReservedLabel(label)).toBe(true)
    },
  )

  it.each(['web', 'nsx', 'ns1a', 'apis', 'www3', 'my-api'])('does not include %s', (label) => {
    expect(isReservedLabel(label)).toBe(false)
  })
})
