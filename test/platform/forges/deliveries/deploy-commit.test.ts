/** What is pushed to a repository at a forge becomes deployments. */
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { forgeDeliveries } from '../../../../src/stores/db/schema/project-repositories.ts'
import { members } from '../../../../src/stores/db/schema/teams.ts'
import { logOf } from '../../../support/event-log.ts'
import { eventually } from '../../../support/eventually.ts'
import { poisonIn } from '../../../support/poison.ts'
import { addMember } from '../../../support/team.ts'
import { visit } from '../../deployments/steps.ts'
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

/** Commits a page, and sends the push of it. */
async function push(text: string, branch = 'main') {
  const commit = await nodes.forge.commit({ 'index.html': text }, branch)
  const answer = await send(site, 'push', pushOf(nodes.forge, { branch, commit }))
  return { commit, answer }
}

async function pushed(text: string, branch = 'main') {
  const { commit, answer } = await push(text, branch)
  expect(answer).toMatchObject({ status: 202, body: { status: 'pending', reason: null } })
  return { commit, delivery: await whenDone(site, answer.body.delivery) }
}

const deploymentOf = async (id: string | null) => (await site.team.owner('GET', `/v1/deployments/${id}`)).body

describe('a push', () => {
  it('to the production branch is live, and says where it came from', async () => {
    const { commit, delivery } = await pushed('one')
    expect(delivery).toMatchObject({
      event: 'push',
      status: 'done',
      branch: 'main',
      commit,
      outcome: 'Deployed.',
      attempts: 1,
    })
    const made = await deploymentOf(delivery.deployment)
    expect(made).toMatchObject({
      target: 'production',
      live: true,
      source: { kind: 'forge', name: 'GitHub' },
      created_by: site.team.ownerId,
      meta: { branch: 'main', commit, message: 'Change', author: 'Ada' },
    })
    expect(made.meta.repository).toBe(nodes.forge.url.replace(/\.git$/, ''))
    expect((await visit(made.aliases[0])).body).toBe('one')
    const { body } = await site.team.owner('GET', '/v1/logs?kind=audit')
    expect(body.data.map(({ message }: { message: string }) => message).join()).toContain(
      'by a push to GitHub',
    )
  })

  it('to another branch is a preview at its address', async () => {
    const { delivery } = await pushed('next one', 'next')
    const made = await deploymentOf(delivery.deployment)
    expect(made).toMatchObject({ target: 'preview', live: false })
    const address = made.aliases.find((alias: string) => alias.includes('-git-next'))
    expect((await visit(address)).body).toBe('next one')
  })

  it('from the default branch goes to production, unless the project has another one for it', async () => {
    const deployed = async (branch: string) => {
      const commit = await nodes.forge.commit({ 'index.html': branch }, branch)
      const payload = pushOf(nodes.forge, { branch, commit })
      payload.repository.default_branch = 'trunk'
      const { body } = await send(site, 'push', payload)
      return deploymentOf((await whenDone(site, body.delivery)).deployment)
    }
    expect(await deployed('main')).toMatchObject({ target: 'preview' })
    expect(await deployed('trunk')).toMatchObject({ live: true })
    expect((await site.team.owner('GET', '/v1/projects/web')).body.git.production_branch).toBe('trunk')
    await site.team.owner('PUT', '/v1/projects/web', { git: { production_branch: 'next' } })
    expect(await deployed('next')).toMatchObject({ live: true })
  })

  it('follows the default branch to another name, but not from what an owner set until null', async () => {
    const git = async () => (await site.team.owner('GET', '/v1/projects/web')).body.git
    const set = (production_branch: string | null) =>
      site.team.owner('PUT', '/v1/projects/web', { git: { production_branch } })
    const say = async (branch: string, defaultBranch: string) => {
      const commit = await nodes.forge.commit({ 'index.html': branch }, branch)
      const payload = pushOf(nodes.forge, { branch, commit })
      payload.repository.default_branch = defaultBranch
      const { body } = await send(site, 'push', payload)
      return whenDone(site, body.delivery)
    }
    await say('main', 'main')
    expect(await git()).toMatchObject({ production_branch: 'main', production_branch_by: 'forge' })
    expect(await say('trunk', 'trunk')).toMatchObject({ outcome: 'Deployed.' })
    expect(await git()).toMatchObject({ production_branch: 'trunk', production_branch_by: 'forge' })
    expect(await say('main', 'trunk')).toMatchObject({
      outcome: 'Deployed as a preview: trunk is the production branch.',
    })
    await set('trunk')
    await say('main', 'main')
    expect(await git()).toMatchObject({ production_branch: 'trunk', production_branch_by: 'owner' })
    expect((await set(null)).body.git).toMatchObject({
      production_branch: 'main',
      production_branch_by: 'forge',
    })
    const { node, team } = site
    const changes = (await logOf(node, team)).filter(({ type }) => type === 'project.updated')
    expect(changes.map(({ actorId, data }) => [actorId, data.changed])).toEqual([
      [null, ['git']],
      [null, ['git']],
      [team.ownerId, ['git']],
      [team.ownerId, ['git']],
    ])
  })

  it('that deletes the production branch leaves the choice to the forge', async () => {
    await site.team.owner('PUT', '/v1/projects/web', { git: { production_branch: 'next' } })
    const { delivery } = await pushed('next', 'next')
    expect(await deploymentOf(delivery.deployment)).toMatchObject({ live: true })
    const deleted = pushOf(nodes.forge, { branch: 'next', commit: '1'.repeat(40), deleted: true })
    await whenDone(site, (await send(site, 'push', deleted)).body.delivery)
    const { git } = (await site.team.owner('GET', '/v1/projects/web')).body
    expect(git).toMatchObject({ production_branch: null, production_branch_by: null })
    expect(await deploymentOf((await pushed('main again', 'main')).delivery.deployment)).toMatchObject({
      live: true,
    })
  })

  it('of a directory deploys that alone, and is passed over where it changes nothing there', async () => {
    site = await connect(nodes.node, nodes.forge, { root_directory: 'apps/web' })
    const commit = await nodes.forge.commit({ 'apps/web/index.html': 'app', 'apps/api/x.txt': 'x' })
    const { body } = await send(
      site,
      'push',
      pushOf(nodes.forge, { commit, changed: ['apps/web/index.html', 'apps/api/x.txt'] }),
    )
    const made = await deploymentOf((await whenDone(site, body.delivery)).deployment)
    expect(made.files).toBe(1)
    expect((await visit(made.aliases[0])).body).toBe('app')
    const other = await send(site, 'push', pushOf(nodes.forge, { commit, changed: ['apps/website/x'] }))
    expect(other).toMatchObject({
      status: 202,
      body: { status: 'done', reason: 'Nothing in apps/web has changed.' },
    })
  })

  /** Sends the push of a commit that changed this, and resolves to why nothing is deployed, if so. */
  async function whyNot(commit: string, changed: string): Promise<string | null> {
    const { body } = await send(site, 'push', pushOf(nodes.forge, { commit, changed: [changed] }))
    return (await whenDone(site, body.delivery)).deployment === null ? body.reason : null
  }

  it('of a directory is also deployed for what is watched', async () => {
    const watch = ['packages/ui', 'lock.json']
    site = await connect(nodes.node, nodes.forge, { root_directory: 'apps/web', watch })
    const unwatched = 'Nothing in apps/web or what is watched has changed.'
    const commit = (text: string) => nodes.forge.commit({ 'apps/web/index.html': 'app', 'x.txt': text })
    expect(await whyNot(await commit('1'), 'packages/ui/button.ts')).toBe(null)
    expect(await whyNot(await commit('2'), 'packages/uikit/button.ts')).toBe(unwatched)
    expect(await whyNot(await commit('3'), 'lock.json')).toBe(null)
    expect(await whyNot(await commit('4'), 'apps/lock.json')).toBe(unwatched)
    await site.team.owner('PUT', '/v1/projects/web', { git: { skip_unchanged: false } })
    expect(await whyNot(await commit('5'), 'apps/lock.json')).toBe(null)
  })

  it('is built in its directory with what is watched, or passed over where neither has changed', async () => {
    const build = {
      root_directory: 'apps/web',
      build_command: 'mkdir -p dist && cat ../../packages/ui/*.txt page.txt > dist/index.html',
    }
    await site.team.owner('PUT', '/v1/projects/web', { build, git: { watch: ['packages/ui'] } })
    const commit = (files: Record<string, string>) => nodes.forge.commit(files)
    await commit({ 'apps/web/page.txt': ' page', 'packages/ui/button.txt': 'old', 'docs/a.md': 'a' })
    const changed = await commit({ 'packages/ui/button.txt': 'new' })
    expect(await whyNot(changed, 'packages/ui/button.txt')).toBe(null)
    const { production_url } = (await site.team.owner('GET', '/v1/projects/web')).body
    await expect.poll(async () => (await visit(production_url)).body, { timeout: 60_000 }).toBe('new page')
    const other = await commit({ 'docs/a.md': 'b' })
    expect(await whyNot(other, 'docs/a.md')).toBe('Nothing in apps/web or what is watched has changed.')

    // Whoever pushes here wants that deployed.
    const remote = new URL(`/git/${site.team.slug}/web.git`, site.node.apiUrl)
    Object.assign(remote, { username: 'x', password: site.team.ownerKey })
    const pushed = await nodes.forge.tree.git('push', remote.href, 'main')
    expect(pushed).toMatchObject({ ok: true, said: expect.stringContaining('remote: Live: ') })

    // Without anything to watch, all of the repository counts.
    await site.team.owner('PUT', '/v1/projects/web', { git: { watch: null } })
    expect(await whyNot(await commit({ 'docs/a.md': 'c' }), 'docs/a.md')).toBe(null)
  })

  it('of a directory whose package is of a workspace deploys that, where anything is built', async () => {
    site = await connect(nodes.node, nodes.forge, { root_directory: 'apps/shop' })
    const files = {
      'package.json': '{"workspaces":["apps/*"],"packageManager":"pnpm@10.27.0"}',
      'packages/ui/index.js': '',
      'apps/shop/package.json': '{"devDependencies":{"vite":"6"}}',
      'apps/shop/svc.json': '{"build":{"output_directory":"out"}}',
    }
    await site.team.owner('PUT', '/v1/projects/web', { build: { build_command: 'true' } })
    const deploy = async (changes: Record<string, string | undefined>) => {
      const commit = await nodes.forge.commit(changes)
      const pushed = pushOf(nodes.forge, { commit, changed: ['apps/shop/package.json'] })
      const { body } = await send(site, 'push', pushed)
      return deploymentOf((await whenDone(site, body.delivery)).deployment)
    }
    expect(await deploy(files)).toMatchObject({
      build: { build_command: 'true', output_directory: 'out', root_directory: 'apps/shop' },
    })
    await site.team.owner('PUT', '/v1/projects/web', { build: { build_command: null } })
    const remove = { 'apps/shop/package.json': undefined, 'apps/shop/svc.json': undefined }
    expect(await deploy({ ...remove, 'apps/shop/index.html': 'a page' })).toMatchObject({ files: 1 })
  })

  it('of a directory with a site deploys that, whatever is around it', async () => {
    site = await connect(nodes.node, nodes.forge, { root_directory: 'apps/docs' })
    const around = { 'package.json': '{', 'Notes.txt': '', 'notes.txt': '' }
    const commit = await nodes.forge.commit({ ...around, 'apps/docs/index.html': 'a page' })
    const pushed = pushOf(nodes.forge, { commit, changed: ['apps/docs/index.html'] })
    const { deployment } = await whenDone(site, (await send(site, 'push', pushed)).body.delivery)
    await nodes.forge.commit({ 'package.json': undefined, 'Notes.txt': undefined, 'notes.txt': undefined })
    expect(await deploymentOf(deployment)).toMatchObject({ files: 1, state: 'ready' })
  })

  it('of a branch that is deleted takes its address along', async () => {
    const { delivery } = await pushed('gone', 'gone')
    const made = await deploymentOf(delivery.deployment)
    const address = made.aliases.find((alias: string) => alias.includes('-git-gone'))
    const { body } = await send(
      site,
      'push',
      pushOf(nodes.forge, { branch: 'gone', commit: '', deleted: true }),
    )
    expect(await whenDone(site, body.delivery)).toMatchObject({ status: 'done', branch: 'gone' })
    expect((await visit(address)).status).toBe(404)
    expect(await deploymentOf(delivery.deployment)).toMatchObject({ state: 'ready' })
  })

  it('that comes twice is deployed once, with the first outcome', async () => {
    const commit = await nodes.forge.commit({ 'index.html': 'twice' })
    const payload = pushOf(nodes.forge, { commit })
    const [first, same] = await Promise.all([1, 2].map(() => send(site, 'push', payload)))
    expect(same?.body.delivery).toBe(first?.body.delivery)
    const done = await whenDone(site, first?.body.delivery)
    expect(await send(site, 'push', payload, { id: 'replayed' })).toEqual({
      status: 202,
      body: { delivery: done.id, status: 'done', reason: 'Deployed.' },
    })
    expect(await deliveriesOf(site)).toHaveLength(1)
    const { body } = await site.team.owner('GET', '/v1/deployments?project=web')
    expect(body.data).toHaveLength(1)
  })

  it('of the commit that its branch has already makes no second deployment', { tags: 'long' }, async () => {
    const { commit, delivery } = await pushed('same')
    const { body } = await send(site, 'push', pushOf(nodes.forge, { commit, changed: [] }))
    expect(await whenDone(site, body.delivery)).toMatchObject({
      status: 'done',
      deployment: null,
      outcome: `${delivery.deployment} is of this commit already.`,
    })
  })

  it('sends the token, which is nowhere else', async () => {
    const token = 'ghp_0123456789'
    await site.team.owner('PUT', '/v1/projects/web', { git: { token } })
    nodes.forge.switches.credentials = `x-access-token:${token}`
    nodes.forge.requests.length = 0
    const { delivery } = await pushed('private')
    expect(delivery).toMatchObject({ status: 'done' })
    expect(nodes.forge.requests.length).toBeGreaterThan(0)
    expect(nodes.forge.requests.map(({ path }) => path).join()).not.toContain(token)
    expect(nodes.node.logged.join()).not.toContain(token)
    expect(JSON.stringify(await deliveriesOf(site))).not.toContain(token)
  })

  it('that can’t be read says what to do', { tags: 'long' }, async () => {
    nodes.forge.switches.credentials = 'x-access-token:other'
    const { delivery } = await pushed('private')
    expect(delivery).toMatchObject({ status: 'failed', deployment: null })
    expect(delivery.outcome).toContain('set a token')
  })

  it('is tried again where the forge has a problem', async () => {
    nodes.forge.switches.status = 503
    const { answer } = await push('later')
    const seen = await eventually(
      async () => {
        const [newest] = await deliveriesOf(site)
        expect(newest?.outcome).toContain('It is tried again.')
        return newest
      },
      { limitMs: 60_000 },
    )
    expect(seen).toMatchObject({ status: 'pending', attempts: 1 })
    nodes.forge.switches = {}
    nodes.node.clock.aheadMs += 11_000
    expect(await whenDone(site, answer.body.delivery)).toMatchObject({ status: 'done', attempts: 2 })
  })

  it('that waits for another attempt gives way to a newer one of its branch', async () => {
    nodes.forge.switches.status = 503
    const { answer } = await push('older')
    await eventually(async () => expect((await deliveriesOf(site))[0]?.outcome).toContain('again'), {
      limitMs: 60_000,
    })
    nodes.forge.switches = {}
    const { delivery } = await pushed('newer')
    expect(delivery).toMatchObject({ status: 'done', outcome: 'Deployed.', attempts: 1 })
    expect(await whenDone(site, answer.body.delivery)).toMatchObject({
      status: 'done',
      deployment: null,
      outcome: 'The branch has changed since.',
    })
  })

  it('whose worker died is another one’s once the lease is over', async () => {
    nodes.forge.switches.status = 503
    const { answer } = await push('lost')
    const { delivery } = answer.body
    await eventually(async () => expect((await deliveriesOf(site))[0]?.outcome).toContain('again'), {
      limitMs: 60_000,
    })
    nodes.forge.switches = {}
    const { db } = nodes.node.installation.store
    const nowMs = Date.now() + nodes.node.clock.aheadMs
    const held = { worker: 'dead', leaseMs: nowMs + 20_000, dueMs: 0 }
    await db.update(forgeDeliveries).set(held).where(eq(forgeDeliveries.id, delivery))
    nodes.node.clock.aheadMs += 21_000
    expect(await whenDone(site, delivery)).toMatchObject({ status: 'done', outcome: 'Deployed.' })
  })

  it('that failed is tried again when it is sent again, unless its branch has something later', async () => {
    nodes.forge.switches.status = 404
    const commit = await nodes.forge.commit({ 'index.html': 'again' })
    const payload = pushOf(nodes.forge, { commit })
    const first = await whenDone(site, (await send(site, 'push', payload)).body.delivery)
    expect(first.status).toBe('failed')
    expect(await whenDone(site, (await send(site, 'push', payload)).body.delivery)).toMatchObject({
      status: 'failed',
    })
    nodes.forge.switches = {}
    const again = await whenDone(site, (await send(site, 'push', payload)).body.delivery)
    expect(again).toMatchObject({ status: 'done', outcome: 'Deployed.', commit })
    expect((await send(site, 'push', payload)).body).toMatchObject({ delivery: again.id, status: 'done' })

    nodes.forge.switches.status = 404
    const older = pushOf(nodes.forge, { commit, changed: ['older.html'] })
    older.after = await nodes.forge.commit({ 'index.html': 'older' })
    const failed = await whenDone(site, (await send(site, 'push', older)).body.delivery)
    expect(failed.status).toBe('failed')
    nodes.forge.switches = {}
    await pushed('newer')
    expect((await send(site, 'push', older)).body).toMatchObject({ delivery: failed.id, status: 'failed' })
  })

  it('with what can’t be deployed fails by name', async () => {
    const commit = await nodes.forge.commit({ 'svc.json': '{"build":1}' })
    const { body } = await send(site, 'push', pushOf(nodes.forge, { commit }))
    const done = await whenDone(site, body.delivery)
    expect(done).toMatchObject({ status: 'failed' })
    expect(done.outcome).toContain('svc.json')
    await nodes.forge.commit({ 'svc.json': '{}' })
  })

  it('deploys also once who connected the repository has left, and owners see that', async () => {
    const { db } = nodes.node.installation.store
    const other = await addMember(nodes.node, site.team, 'owner')
    const gitOf = async () => (await other.api('GET', '/v1/projects/web')).body.git
    expect(await gitOf()).toMatchObject({ connected_by: site.team.ownerId, connected_by_role: 'owner' })
    const isConnector = eq(members.userId, site.team.ownerId)
    await db.update(members).set({ role: 'member', limited: true }).where(isConnector)
    expect(await gitOf()).toMatchObject({ connected_by_role: 'member' })
    await db.delete(members).where(isConnector)
    const commit = await nodes.forge.commit({ 'index.html': 'left' })
    const { body } = await send(site, 'push', pushOf(nodes.forge, { commit }))
    const deployment = await eventually(
      async () => {
        const [row] = await db.select().from(forgeDeliveries).where(eq(forgeDeliveries.id, body.delivery))
        expect(row?.status).toBe('done')
        return row?.deploymentId
      },
      { limitMs: 60_000 },
    )
    expect((await other.api('GET', `/v1/deployments/${deployment}`)).body).toMatchObject({
      state: 'ready',
      created_by: site.team.ownerId,
    })
    const { url, connected_by_role } = await gitOf()
    expect(connected_by_role).toBeNull()
    await other.api('PUT', '/v1/projects/web', { git: { url } })
    expect(await gitOf()).toMatchObject({ connected_by: other.userId, connected_by_role: 'owner' })
    const log = await other.api('GET', '/v1/logs?kind=audit&q=project')
    expect(JSON.stringify(log.body)).toContain('git.connected_by')
  })
})

describe('a pull request', () => {
  it('of the same repository is deployed, unless its commit is already', async () => {
    const { commit, delivery } = await pushed('a change', 'next')
    const opened = await send(site, 'pull_request', pullRequestOf(nodes.forge, { commit }))
    expect(await whenDone(site, opened.body.delivery)).toMatchObject({
      pull_request: 7,
      outcome: `${delivery.deployment} is of this commit already.`,
    })
    const later = await nodes.forge.commit({ 'index.html': 'more' }, 'next')
    const payload = pullRequestOf(nodes.forge, { commit: later, action: 'synchronize' })
    const done = await whenDone(site, (await send(site, 'pull_request', payload)).body.delivery)
    expect(await deploymentOf(done.deployment)).toMatchObject({
      target: 'preview',
      meta: { branch: 'next', commit: later, pull_request: '7' },
    })
  })

  it('of a fork is not deployed, whatever its branch is called', async () => {
    const commit = await nodes.forge.commit({ 'index.html': 'evil' }, 'fork')
    const payload = pullRequestOf(nodes.forge, { commit, branch: 'main', fork: true })
    expect(await send(site, 'pull_request', payload)).toMatchObject({
      status: 202,
      body: { status: 'done', reason: 'Pull requests from forks are not deployed.' },
    })
    const { body } = await site.team.owner('GET', '/v1/deployments?project=web')
    expect(body.data).toEqual([])
  })
})

describe('a commit that is far larger than it was sent', () => {
  it.each(['directories', 'message'])('by its %s is refused at once, and once', async (what) => {
    const { tree } = nodes.forge
    const poison = poisonIn(tree)
    const isMessage = what === 'message'
    const commit = isMessage ? await poison.ofLongMessage(2 * 1024 * 1024) : await poison.ofDirectories(60, 3)
    await tree.git('update-ref', `refs/heads/${what}`, commit)
    const { body } = await send(site, 'push', pushOf(nodes.forge, { branch: what, commit }))
    expect(await whenDone(site, body.delivery)).toMatchObject({
      status: 'failed',
      attempts: 1,
      outcome: isMessage
        ? expect.stringMatching(/^The commit has 2097\d+ bytes with its message; it may have 1048576\.$/)
        : 'The commit has more than 200000 entries, with its directories.',
    })
  })
})

describe('a worker that ended at a delivery', () => {
  /** A delivery of a new commit that such a worker has left; `lost` are those before it. */
  async function leave(lost: number) {
    const { delivery } = await pushed('before')
    const commit = await nodes.forge.commit({ 'index.html': `lost ${lost}` })
    const { db } = nodes.node.installation.store
    const [done] = await db.select().from(forgeDeliveries).where(eq(forgeDeliveries.id, delivery.id))
    if (!done) throw new Error('The delivery is gone.')
    const id = newId('forgeDelivery', done.receivedMs)
    const work = { kind: 'deploy', meta: {}, from: { address: '', requestId: '' } }
    const left = {
      status: 'pending',
      outcome: null,
      deploymentId: null,
      endedMs: null,
      worker: 'ended',
    } as const
    await db
      .insert(forgeDeliveries)
      .values({ ...done, ...left, id, forgeId: id, work, commit, lost, leaseMs: 1 })
    nodes.forge.requests.length = 0
    return whenDone(site, id)
  }

  it('is followed by another one', async () => {
    expect(await leave(0)).toMatchObject({ status: 'done', outcome: 'Deployed.', attempts: 2 })
  })

  it('after another one is the last', async () => {
    expect(await leave(1)).toMatchObject({
      status: 'failed',
      outcome: 'Given up: the server ended 2 times while it was at this delivery.',
    })
    expect(nodes.forge.requests).toEqual([])
  })
})

// Only PostgreSQL is there for another node.
it.runIf(process.env.TEST_ON !== undefined)('a node that stops leaves its delivery as it was', async () => {
  const own = await startForgeNodes()
  onTestFinished(own.stop)
  const web = await connect(own.node, own.forge)
  const commit = await own.forge.commit({ 'index.html': 'one' })
  own.forge.switches.before = () => new Promise(() => {})
  const { body } = await send(web, 'push', pushOf(own.forge, { commit }))
  await expect.poll(() => own.forge.requests.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await own.node.stop()
  own.forge.switches = {}
  const node = await own.start()
  expect(await whenDone({ ...web, node }, body.delivery)).toMatchObject({ status: 'done', attempts: 1 })
})

describe('a hook', () => {
  const payload = () => pushOf(nodes.forge, { commit: 'a'.repeat(40) })

  it('403 for a signature of another secret, another body, or none', async () => {
    const refused = { status: 403, body: { reason: expect.any(String) } }
    expect(await send(site, 'push', payload(), { secret: 'another secret' })).toEqual(refused)
    const other = createHash('sha256').update('x').digest('hex')
    for (const signature of [`sha256=${other}`, other, '', 'sha1=00'])
      expect(await send(site, 'push', payload(), { headers: { 'x-hub-signature-256': signature } })).toEqual(
        refused,
      )
    await site.team.owner('PUT', '/v1/projects/web', { git: { secret: null } })
    expect(await send(site, 'push', payload())).toEqual(refused)
    expect(await send(site, 'push', payload(), { secret: '' })).toEqual(refused)
    expect(await deliveriesOf(site)).toEqual([])
  })

  it('of another project takes only what is signed with that one’s secret', async () => {
    const other = await connect(nodes.node, nodes.forge)
    const { status } = await send(site, 'push', payload(), { project: other.project.id })
    expect(status).toBe(403)
    expect(await deliveriesOf(other)).toEqual([])
  })

  it('422 for another repository, and 404 for projects without one', async () => {
    const foreign = pushOf(
      { ...nodes.forge, url: 'https://github.com/eve/site.git' },
      { commit: 'a'.repeat(40) },
    )
    expect(await send(site, 'push', foreign)).toMatchObject({ status: 422 })
    await site.team.owner('PUT', '/v1/projects/web', { git: null })
    for (const project of [site.project.id, 'prj_00000000000000000000000000000000', 'x'])
      expect(await send(site, 'push', payload(), { project })).toMatchObject({
        status: 404,
        body: { reason: 'unknown_path' },
      })
  })

  it('400 for what the forge doesn’t send, 413 for what is too large', async () => {
    expect(await send(site, 'push', { ref: 1, repository: payload().repository })).toMatchObject({
      status: 400,
      body: { reason: 'invalid_input' },
    })
    const keys = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, 1]))
    expect(await send(site, 'push', { ...payload(), keys })).toMatchObject({ status: 400 })
    const large = { ...payload(), x: 'x'.repeat(6 * 1024 * 1024) }
    expect(await send(site, 'push', large)).toMatchObject({ status: 413 })
  })

  it('says why there is nothing to do', async () => {
    const ping = { zen: 'x', hook_id: 1, repository: payload().repository }
    expect(await send(site, 'ping', ping)).toMatchObject({ status: 202, body: { status: 'done' } })
    const tag = { ...payload(), ref: 'refs/tags/v1' }
    const { body } = await send(site, 'push', tag)
    expect(body).toMatchObject({ status: 'done', reason: expect.stringMatching(/tag/i) })
  })
})
