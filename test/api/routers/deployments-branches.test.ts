import { beforeAll, describe, expect, it } from 'vitest'
import { moveBranchAddress } from '../../../src/platform/deployments/branch-address.ts'
import { expirePreviews } from '../../../src/platform/deployments/expire.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { deploy, insertDeployment, visit, visitBytes } from '../../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

type Branch = { name: string; url: string; deployment: string }

const page = (content: string) => [{ path: 'index.html', content }]
const deployOf = (team: TestTeam, branch: string, fields: Record<string, unknown> = {}) =>
  deploy(team, { meta: { branch }, ...fields })
const get = async (team: TestTeam, id: string) => (await team.owner('GET', `/v1/deployments/${id}`)).body
const projectOf = async (team: TestTeam) => (await team.owner('GET', '/v1/projects/web')).body
const branchesOf = async (team: TestTeam): Promise<Branch[]> => (await projectOf(team)).branches

/** The label of an address. */
const labelOf = (url: string) => new URL(url).hostname.split('.')[0] ?? ''

/** Moves the address of a branch to a deployment of that time, as a build does at its end. */
async function becomesReady(team: TestTeam, branch: string, createdMs: number, untrusted = false) {
  const meta = { branch }
  const id = await insertDeployment(node, team, { createdMs, meta, untrusted, state: 'ready' })
  const { id: projectId } = await projectOf(team)
  const ready = { id, teamId: team.id, projectId, createdMs, meta, untrusted }
  return node.installation.store.transact((tx) => moveBranchAddress(tx, ready, Date.now()))
}

describe('the address of a branch', () => {
  it('leads to its newest deployment, which has it among its aliases', async () => {
    const team = await newTeam(node)
    const first = await deployOf(team, 'next', { files: page('one') })
    const [address = ''] = first.aliases
    expect(labelOf(address)).toMatch(/^web-git-next(-[0-9a-f]{6})?$/)
    expect((await visit(address)).body).toBe('one')
    const second = await deployOf(team, 'next', { files: page('two') })
    expect(second.aliases).toEqual([address])
    expect((await visit(address)).body).toBe('two')
    expect((await visit(first.url)).body).toBe('one')
    expect([(await get(team, first.id)).aliases, (await get(team, second.id)).aliases]).toEqual([
      [],
      [address],
    ])
    expect(await branchesOf(team)).toEqual([{ name: 'next', url: address, deployment: second.id }])
  })

  it('comes after those of production while its deployment is live', async () => {
    const team = await newTeam(node)
    const { aliases } = await deployOf(team, 'main', { target: 'production' })
    const { production_url, branches } = await projectOf(team)
    expect(aliases).toEqual([production_url, branches[0].url])
  })

  it('is that of the branch alone', async () => {
    const team = await newTeam(node)
    const names = ['a-b', 'a/b', 'A-B', '../../x', '🚀'.repeat(60)]
    for (const name of names) await deployOf(team, name, { files: page(name) })
    const branches = await branchesOf(team)
    expect(branches.map(({ name }) => name)).toEqual(names.toReversed())
    for (const { name, url } of branches) expect((await visit(url)).body).toBe(name)
  })

  it('is left out for a name that git would not take either, and for none', async () => {
    const team = await newTeam(node)
    expect((await deployOf(team, 'x'.repeat(251))).aliases).toEqual([])
    expect((await deployOf(team, '')).aliases).toEqual([])
    expect((await deploy(team)).aliases).toEqual([])
    expect(await branchesOf(team)).toEqual([])
  })

  it('never moves back', async () => {
    const team = await newTeam(node)
    const { id, created_ms } = await deployOf(team, 'next')
    expect(await becomesReady(team, 'next', created_ms - 1)).toBeUndefined()
    expect(await branchesOf(team)).toMatchObject([{ deployment: id }])
    expect(await becomesReady(team, 'next', created_ms + 1)).toBeDefined()
    expect(await branchesOf(team)).not.toMatchObject([{ deployment: id }])
  })

  it('is one, that of the newest, however many are deployed at once', async () => {
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web')
    const all = await Promise.all(Array.from({ length: 6 }, () => deployOf(team, 'next')))
    const newest = all.toSorted((a, b) => a.created_ms - b.created_ms || (a.id < b.id ? -1 : 1)).at(-1)
    expect(await branchesOf(team)).toMatchObject([{ name: 'next', deployment: newest?.id }])
  })

  it('is never of sources from outside the team', async () => {
    const team = await newTeam(node)
    expect(await becomesReady(team, 'main', Date.now(), true)).toBeUndefined()
    expect(await branchesOf(team)).toEqual([])
  })

  it('is not that of another project', async () => {
    const team = await newTeam(node)
    const { production_url } = (await team.owner('PUT', '/v1/projects/web-git-shop')).body
    const { aliases } = await deployOf(team, 'shop', { files: page('branch') })
    expect(aliases[0]).not.toBe(production_url)
    expect((await visit(aliases[0])).body).toBe('branch')
    const [address = ''] = (await deployOf(team, 'cart')).aliases
    const taken = (await team.owner('PUT', `/v1/projects/${labelOf(address)}`)).body
    expect(taken.production_url).not.toBe(address)
  })

  it('is in no search engine, unless the site says otherwise; production is', async () => {
    const robots = async (url: string) => (await visitBytes(url, '/')).headers['x-robots-tag']
    const team = await newTeam(node)
    const { url, aliases } = await deployOf(team, 'main', { target: 'production' })
    const [production = '', branch = ''] = aliases
    expect(await Promise.all([url, branch, production].map(robots))).toEqual([
      'noindex',
      'noindex',
      undefined,
    ])
    const rules = { path: '_headers', content: '/*\n  x-robots-tag: all\n' }
    const said = await deployOf(team, 'next', { files: [...page('next'), rules] })
    expect(await Promise.all([said.url, ...said.aliases].map(robots))).toEqual(['all', 'all'])
  })

  it('is protected as previews are', async () => {
    const team = await newTeam(node)
    const [address = ''] = (await deployOf(team, 'next')).aliases
    await team.owner('PUT', '/v1/projects/web', { protection: 'preview' })
    expect((await visit(address)).status).toBe(401)
  })

  it('goes with its deployment, and is the same when there is another one', async () => {
    const team = await newTeam(node)
    const { id, aliases } = await deployOf(team, 'next')
    expect((await visit(aliases[0])).status).toBe(200)
    await team.owner('DELETE', `/v1/deployments/${id}`)
    expect((await visit(aliases[0])).status).toBe(404)
    expect(await branchesOf(team)).toEqual([])
    expect((await deployOf(team, 'next')).aliases).toEqual(aliases)
    expect((await visit(aliases[0])).status).toBe(200)
  })

  it('goes with a preview that expires', async () => {
    const team = await newTeam(node)
    const { aliases } = await deployOf(team, 'next')
    await team.owner('PUT', '/v1/projects/web', { preview_ttl_days: 1 })
    expect((await visit(aliases[0])).status).toBe(200)
    const { store } = node.installation
    const { sitesUrl, certifiedUrl } = node
    await expirePreviews({ store, sitesUrl, certifiedUrl, nowMs: Date.now() + 2 * 86_400_000 })
    expect((await visit(aliases[0])).status).toBe(404)
  })

  it('goes with the setting, and comes with the first deployment after it is back', async () => {
    const team = await newTeam(node)
    const { aliases } = await deployOf(team, 'next')
    expect((await visit(aliases[0])).status).toBe(200)
    const { body } = await team.owner('PUT', '/v1/projects/web', { branch_addresses: false })
    expect(body).toMatchObject({ branch_addresses: false, branches: [] })
    expect((await visit(aliases[0])).status).toBe(404)
    expect((await deployOf(team, 'next')).aliases).toEqual([])
    await team.owner('PUT', '/v1/projects/web', { branch_addresses: null })
    expect((await deployOf(team, 'next')).aliases).toEqual(aliases)
  })

  it('goes with the project', async () => {
    const team = await newTeam(node)
    const { aliases } = await deployOf(team, 'next')
    expect((await visit(aliases[0])).status).toBe(200)
    await team.owner('DELETE', '/v1/projects/web')
    expect((await visit(aliases[0])).status).toBe(404)
  })

  it('makes room for that of a newer branch where there are 200', async () => {
    const team = await newTeam(node)
    const oldest = await deployOf(team, 'oldest')
    const newest = await deployOf(team, 'newest')
    const { id: projectId } = await projectOf(team)
    const { db } = node.installation.store
    const unique = team.id.slice(-8)
    await db.insert(hosts).values(
      Array.from({ length: 198 }, (_, number) => ({
        label: `many-${unique}-${number}`,
        teamId: team.id,
        projectId,
        deploymentId: newest.id,
        branch: `b${number}`,
      })),
    )
    expect((await visit(oldest.aliases[0])).status).toBe(200)
    const { aliases } = await deployOf(team, 'one-more')
    expect((await visit(oldest.aliases[0])).status).toBe(404)
    expect((await visit(aliases[0])).status).toBe(200)
    const names = (await branchesOf(team)).map(({ name }) => name)
    expect([names.length, names[0], names.includes('oldest')]).toEqual([200, 'one-more', false])
  })
})

it('lists leave branches out', async () => {
  const team = await newTeam(node)
  await deployOf(team, 'next')
  const { body } = await team.owner('GET', '/v1/projects')
  expect(body.data).toMatchObject([{ name: 'web', branch_addresses: true }])
  expect(body.data[0]).not.toHaveProperty('branches')
})
