/** What forges send leaves lines in the log: what came, what came of it, and why nothing was done. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { limitMember } from '../../../support/limits.ts'
import { addMember } from '../../../support/team.ts'
import {
  type Connected,
  connect,
  deliveriesOf,
  pullRequestOf,
  pushOf,
  send,
  startForgeNodes,
  whenDone,
} from '../steps.ts'

vi.setConfig({ testTimeout: 120_000 })

let nodes: Awaited<ReturnType<typeof startForgeNodes>>
let site: Connected

beforeAll(async () => {
  nodes = await startForgeNodes()
}, 60_000)
afterAll(() => nodes?.stop())

beforeEach(async () => {
  nodes.forge.switches = {}
  site = await connect(nodes.node, nodes.forge)
})

type Line = { kind: string; level: string; message: string; deployment: string | null; fields: object }

async function lines(query = ''): Promise<Line[]> {
  const { body } = await site.team.owner('GET', `/v1/logs?kind=git&project=web${query}`)
  return body.data.toReversed()
}

const messages = async () => (await lines()).map(({ message }) => message)

it('a push: that it came, and its deployment, to whoever follows as well', async () => {
  const following = site.team.owner('GET', '/v1/logs?kind=git&order=asc&wait_s=30')
  const commit = await nodes.forge.commit({ 'index.html': 'logged' })
  const { body } = await send(site, 'push', pushOf(nodes.forge, { commit }))
  const { deployment } = await whenDone(site, body.delivery)
  const came = `push, branch main, commit ${commit.slice(0, 7)}`
  const fields = { event: 'push', branch: 'main', commit, delivery: body.delivery }
  expect(await lines()).toMatchObject([
    { kind: 'git', level: 'info', message: `${came}: Received.`, deployment: null, fields },
    { level: 'info', message: `${came}: Deployed. It is ${deployment}.`, deployment, fields },
  ])
  expect((await lines(`&deployment=${deployment}`)).map((line) => line.fields)).toEqual([fields])
  expect((await following).body.data[0]).toMatchObject({ kind: 'git', message: `${came}: Received.` })
  const { body: all } = await site.team.owner('GET', '/v1/logs?project=web')
  expect(all.data.map(({ kind }: Line) => kind)).toContain('git')
})

it('what leads to nothing: why', async () => {
  const commit = 'a'.repeat(40)
  await send(site, 'ping', { zen: 'x', hook_id: 1, repository: pushOf(nodes.forge, { commit }).repository })
  await send(site, 'pull_request', pullRequestOf(nodes.forge, { commit, fork: true }))
  expect(await messages()).toEqual([
    'ping: The forge reaches this address, and the secret is right.',
    expect.stringMatching(/^pull_request, pull request 7, commit aaaaaaa: Pull requests from/),
  ])
})

it('what fails: an error; what is tried again: a warning, once for each attempt', async () => {
  nodes.forge.switches.status = 503
  const commit = await nodes.forge.commit({ 'index.html': 'later' })
  const { body } = await send(site, 'push', pushOf(nodes.forge, { commit }))
  await eventually(async () => expect((await lines()).at(-1)).toMatchObject({ level: 'warn' }), {
    limitMs: 60_000,
  })
  nodes.forge.switches.status = 404
  nodes.node.clock.aheadMs += 11_000
  const { outcome } = await whenDone(site, body.delivery)
  const all = await lines()
  expect(all.map(({ level }) => level)).toEqual(['info', 'warn', 'error'])
  expect(all[1]?.message).toMatch(/: The forge has a problem at present\. It is tried again\.$/)
  expect(all[2]?.message.endsWith(`: ${outcome}`)).toBe(true)
})

it('what a newer push passes: a line of its own', async () => {
  nodes.forge.switches.status = 503
  const older = await nodes.forge.commit({ 'index.html': 'older' })
  await send(site, 'push', pushOf(nodes.forge, { commit: older }))
  await eventually(async () => expect((await lines()).at(-1)).toMatchObject({ level: 'warn' }), {
    limitMs: 60_000,
  })
  const commit = await nodes.forge.commit({ 'index.html': 'newer' })
  await send(site, 'push', pushOf(nodes.forge, { commit }))
  expect(await messages()).toContain(
    `push, branch main, commit ${older.slice(0, 7)}: The branch has changed since.`,
  )
})

it('a repeat leaves none, nor does what a stranger sends', async () => {
  const payload = { ...pushOf(nodes.forge, { commit: 'a'.repeat(40) }), ref: 'refs/tags/v1' }
  for (const status of [202, 202]) expect((await send(site, 'push', payload)).status).toBe(status)
  expect((await send(site, 'push', payload, { secret: 'another' })).status).toBe(403)
  expect(await messages()).toEqual([expect.stringContaining('only branches are deployed')])
  expect(await deliveriesOf(site)).toHaveLength(1)
})

it('what the secret signs, but is refused: a warning, with a name that can do no harm', async () => {
  const foreign = { ...nodes.forge, url: 'https://github.com/eve/site.git' }
  await send(site, 'push', pushOf(foreign, { commit: 'a'.repeat(40) }))
  await send(site, 'push', { ref: 1, repository: pushOf(nodes.forge, { commit: '' }).repository })
  expect(await lines()).toMatchObject([
    { level: 'warn', message: expect.stringMatching(/^push: This is about another repository than /) },
    { level: 'warn', message: expect.stringMatching(/^push: ref: /) },
  ])
  const branch = 'a\u202eb'
  await send(site, 'push', pushOf(nodes.forge, { commit: '', branch, deleted: true }))
  expect((await lines())[2]?.message).not.toContain('\u202e')
  expect(JSON.stringify(await lines())).not.toContain(site.secret)
})

it('a limited member reads those of their projects alone', async () => {
  const { repository } = pushOf(nodes.forge, { commit: '' })
  await send(site, 'ping', { zen: 'x', hook_id: 1, repository })
  const member = await addMember(nodes.node, site.team)
  const seen = async () => (await member.api('GET', '/v1/logs?kind=git')).body.data.length
  expect(await seen()).toBe(1)
  await limitMember(nodes.node, site.team, member.userId, [])
  expect(await seen()).toBe(0)
})
