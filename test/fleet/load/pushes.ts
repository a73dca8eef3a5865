/** Pushes with git's protocol, and a repository at a forge that the same project is connected to. */
import { z } from 'zod'
import { sendEvent } from '../attacks/forges/sign.ts'
import { commitOf, objectOf, treeOf } from '../attacks/packs/objects.ts'
import { packOf, pushOf } from '../attacks/packs/pack.ts'
import type { Hook } from '../attacks/target.ts'
import { call, seenIn, send, unsuccessful } from './http.ts'
import { repeat } from './pace.ts'
import { visit, visitSite } from './pages.ts'
import { filesOf } from './site-files.ts'
import type { Site, Team, World } from './world.ts'

/** A site that is pushed. */
export type Pushed = {
  site: Site
  /** A branch with an address of its own, whose deployment doesn't change. */
  branch: { name: string; host: string; version: string }
  hook: Hook
}

const connectedSchema = z.object({
  production_url: z.string(),
  git: z.object({ hook_url: z.string() }),
})
const branchesSchema = z.object({ branches: z.array(z.object({ name: z.string(), url: z.string() })) })

const branchName = 'staging'

/** Pushes a version. Its pack has all that the commit has. Resolves to the version. */
async function push(
  { recorder, fleet, next, teams }: World,
  team: Team,
  { project, branch }: { project: string; branch: string },
): Promise<string> {
  const version = `${project}@${next()}`
  const kind = branch === branchName ? 'preview' : 'push'
  // Git's clients stay with a node where the load balancer has them do so: each knows what was pushed to it.
  const apis = fleet.nodes.filter(({ role }) => role === 'api')
  const node = apis[teams.indexOf(team) % apis.length]
  const remote = `http://127.0.0.1:${node?.port}/git/${team.slug}/${project}.git`
  const headers = { authorization: `Basic ${Buffer.from(`x:${team.key}`).toString('base64')}` }
  const subject = kind === 'push' ? project : version
  await recorder.perform({ process: `${team.slug}/pusher`, kind, subject, value: version }, async () => {
    const offered = await send(`${remote}/info/refs?service=git-receive-pack`, { headers })
    const there = node === undefined ? {} : { node: node.name }
    if (offered.status !== 200) return { ...unsuccessful(offered, false), ...there }
    const [, from] = new RegExp(`([0-9a-f]{40}) refs/heads/${branch}\\b`).exec(offered.text) ?? []
    const files = filesOf(version).map(({ path, bytes }) => ({ path, file: objectOf('blob', bytes) }))
    const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const tree = treeOf(sorted.map(({ path, file }) => ({ mode: '100644', name: path, id: file.id })))
    const commit = commitOf(tree, `${version}\n`)
    const pack = packOf([...files.map(({ file }) => file), tree, commit])
    const response = await send(`${remote}/git-receive-pack`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-git-receive-pack-request' },
      body: pushOf([{ branch, from, to: commit.id }], pack),
    })
    const isTaken = response.text.includes(`ok refs/heads/${branch}`)
    if (response.status === 200 && isTaken)
      return { type: 'ok', ...seenIn(response), ...there, value: version }
    return { ...unsuccessful(response, response.status !== 200), ...there }
  })
  return version
}

/** Connects a project of the team with a repository at a forge, and pushes to it. @throws when it can't. */
export async function createPushed(world: World, team: Team): Promise<void> {
  const { fleet } = world
  const project = `${team.slug}-pushed`
  const repository = `https://forge.fleet.net/${team.slug}/site`
  const secret = `secret of the hook of ${team.slug}`
  const git = { url: repository, provider: 'github', secret, close_days: 0 }
  const made = await call(fleet.apiUrl, team.key, 'PUT', `/v1/projects/${project}`, { git })
  if (made.status !== 200) throw new Error(`${project} got ${made.status}: ${made.text}`)
  const { production_url, git: connected } = connectedSchema.parse(JSON.parse(made.text))
  const site = { project, host: new URL(production_url).host, made: [] }
  await push(world, team, { project, branch: 'main' })
  const version = await push(world, team, { project, branch: branchName })
  const found = await call(fleet.apiUrl, team.key, 'GET', `/v1/projects/${project}`)
  const { branches } = branchesSchema.parse(JSON.parse(found.text))
  const host = new URL(branches.find(({ name }) => name === branchName)?.url ?? '').host
  const hook = { path: new URL(connected.hook_url).pathname, secret, repository }
  team.pushed = { site, branch: { name: branchName, host, version }, hook }
}

/** Sends an event that nothing follows from, as forges do for each comment. */
async function comment({ recorder, fleet, next }: World, team: Team, hook: Hook): Promise<void> {
  const invocation = { process: `${team.slug}/forge`, kind: 'event.send', subject: team.slug }
  await recorder.perform(invocation, async () => {
    const balancerPort = Number(new URL(fleet.apiUrl).port)
    const payload = { action: 'created', number: next() }
    const signal = AbortSignal.timeout(60_000)
    const status = await sendEvent({ balancerPort }, { hook, event: 'issue_comment', payload, signal })
    if (status === 202) return { type: 'ok', status }
    return unsuccessful({ status, text: 'the event was not taken' }, true)
  })
}

/** Reads what was pushed, once. */
export async function visitPushed(
  world: World,
  team: Team,
  { site, branch }: Pick<Pushed, 'site' | 'branch'>,
): Promise<void> {
  await visitSite(world, team, site)
  await visit(world, team, { kind: 'page.preview', subject: branch.version, host: branch.host })
}

/** Pushes, reads what was pushed, and has the forge send events, until `stopping` aborts. */
export function pushSites(world: World, team: Team, stopping: AbortSignal): Promise<unknown> {
  const { pushed } = team
  if (!pushed) return Promise.resolve()
  const { project } = pushed.site
  const pushers = repeat(
    stopping,
    2_000,
    async () => void (await push(world, team, { project, branch: 'main' })),
  )
  const visitors = repeat(stopping, 400, () => visitPushed(world, team, pushed))
  const forges = repeat(stopping, 1_000, () => comment(world, team, pushed.hook))
  return Promise.all([pushers, visitors, forges])
}
