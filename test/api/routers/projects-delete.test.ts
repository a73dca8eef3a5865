import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createDomainResolver } from '../../../src/platform/domains/check/resolver.ts'
import { workerTasks } from '../../../src/roles/worker/tasks.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { branchEnv } from '../../../src/stores/db/schema/branch-env.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { manifestEntries, manifests } from '../../../src/stores/db/schema/manifests.ts'
import { deployments, projectEnv, projects } from '../../../src/stores/db/schema/projects.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import { deploy, visit } from '../../platform/deployments/steps.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { believed } from '../../support/removal.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterAll(() => node.stop())

/** The worker's two rounds from now on, each task until there is no more to do. */
async function runWorker(): Promise<void> {
  const { store, blobs } = node.installation
  const routing = { addresses: [], cname: undefined }
  const stopping = new AbortController().signal
  for (const nowMs of [Date.now(), Date.now() + 60_000]) {
    const clock = { nowMs: () => nowMs, stopping }
    const resolver = createDomainResolver({ servers: [], cname: undefined, ...clock })
    const deps = {
      store,
      blobs,
      sitesUrl: node.sitesUrl,
      certifiedUrl: node.certifiedUrl,
      resolver,
      routing,
      outbox: undefined,
      apiUrl: () => undefined,
      logDays: 30,
      requestLogDays: 3,
      runtimeLogDays: 3,
      metricsDays: 400,
      trash: { days: 7, maxBytes: 1_000_000 },
      strayLeft: () => {},
      ...clock,
      removal: believed(clock.nowMs),
    }
    // Turns follow the database's clock, on which no time passes between the two.
    await store.db.delete(turns)
    for (const task of workerTasks({ ...deps, log: createLogger({ write: () => {} }) }))
      while (await task.run(new AbortController().signal));
  }
}

describe('DELETE /v1/projects/{project}', () => {
  it('deletes it, by name and by id; then it is 404', async () => {
    const team = await newTeam(node)
    for (const by of ['name', 'id']) {
      const { body: made } = await team.owner('PUT', '/v1/projects/web')
      const { status, body } = await team.owner('DELETE', `/v1/projects/${made[by]}`)
      expect(status).toBe(200)
      expect(body).toEqual({ id: made.id, deleted: true })
      for (const method of ['GET', 'DELETE']) {
        const again = await team.owner(method, `/v1/projects/${made[by]}`)
        expect(again.status).toBe(404)
        expect(again.body.reason).toBe('project_not_found')
      }
    }
  })

  it('removes its deployments, env and hosts at once, and its blobs with the next collection', async () => {
    const { db } = node.installation.store
    const team = await newTeam(node)
    await team.owner('PUT', '/v1/projects/web', {
      env: [
        { key: 'A', value: '1' },
        { key: 'A', value: '2', branch: 'next' },
      ],
    })
    const live = await deploy(team, { target: 'production' })
    const preview = await deploy(team, { files: [{ path: 'index.html', content: 'another' }] })
    const kept = await deploy(team, { project: 'other', files: [{ path: 'index.html', content: 'kept' }] })
    expect((await visit(live.aliases[0])).status).toBe(200)
    const { body: project } = await team.owner('GET', '/v1/projects/web')

    expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    for (const url of [live.aliases[0], live.url, preview.url]) expect((await visit(url)).status).toBe(404)
    for (const { id } of [live, preview]) {
      expect((await team.owner('GET', `/v1/deployments/${id}`)).status).toBe(404)
    }
    expect(await db.select().from(projects).where(eq(projects.id, project.id))).toEqual([])
    expect(await db.select().from(deployments).where(eq(deployments.projectId, project.id))).toEqual([])
    expect(await db.select().from(projectEnv).where(eq(projectEnv.projectId, project.id))).toEqual([])
    expect(await db.select().from(branchEnv).where(eq(branchEnv.projectId, project.id))).toEqual([])
    expect(await db.select().from(hosts).where(eq(hosts.projectId, project.id))).toEqual([])

    await runWorker()
    expect(await db.select().from(manifests)).toHaveLength(1)
    expect(await db.select().from(manifestEntries)).toHaveLength(1)
    expect(await db.select().from(blobs)).toHaveLength(1)
    const stored: string[] = []
    for await (const batch of node.installation.blobs.listOlderThan(Number.MAX_SAFE_INTEGER))
      stored.push(...batch)
    expect(stored).toHaveLength(1)
    expect(await visit(kept.url)).toEqual({ status: 200, body: 'kept' })
  })

  it('leaves nothing of concurrent deployments', async () => {
    const { db } = node.installation.store
    const team = await newTeam(node)
    for (let round = 0; round < 5; round += 1) {
      const { body: project } = await team.owner('PUT', '/v1/projects/web')
      const create = () =>
        team.owner('POST', '/v1/deployments', {
          project: 'web',
          target: 'production',
          files: [{ path: 'index.html', content: `round ${round}` }],
        })
      const [first, gone, second] = await Promise.all([
        create(),
        team.owner('DELETE', '/v1/projects/web'),
        create(),
      ])
      expect(gone.status).toBe(200)
      for (const { status } of [first, second]) expect([200, 404]).toContain(status)
      expect(await db.select().from(deployments).where(eq(deployments.projectId, project.id))).toEqual([])
      expect(await db.select().from(hosts).where(eq(hosts.projectId, project.id))).toEqual([])
    }
  })

  it('detaches its domains, which stay with the team unchanged', async () => {
    const team = await newTeam(node)
    const top = `${unique('detached')}.com`
    await claim(node, team, top, { proven: true })
    const names = [top, `www.${top}`, `${unique('detached')}.net`]
    const put = (name: string, project: string) => team.owner('PUT', `/v1/domains/${name}`, { project })
    for (const project of ['web', 'docs']) await team.owner('PUT', `/v1/projects/${project}`)
    await put(`docs.${top}`, 'docs')
    const before = []
    for (const name of names) before.push((await put(name, 'web')).body)
    expect((await team.owner('GET', '/v1/projects/web')).body.domains).toEqual(names.toSorted())

    const heard: Change[] = []
    const { store } = node.installation
    const stop = store.changes.subscribe({ changed: (change) => heard.push(change), missed: () => {} })
    expect((await team.owner('DELETE', '/v1/projects/web')).status).toBe(200)
    stop()
    expect(heard.filter(({ kind }) => kind === 'domain').map(({ id }) => id)).toEqual(
      [top, names[2]].toSorted(),
    )
    for (const domain of before) {
      const { body } = await team.owner('GET', `/v1/domains/${domain.id}`)
      expect(body).toEqual({ ...domain, project: null })
    }
    expect((await team.owner('GET', `/v1/domains/docs.${top}`)).body.project).toBe('docs')
  })

  it('leaves no domain attached by a concurrent call', async () => {
    const team = await newTeam(node)
    const name = `${unique('attached')}.com`
    for (let round = 0; round < 5; round += 1) {
      await team.owner('PUT', '/v1/projects/web')
      await team.owner('PUT', `/v1/domains/${name}`, { project: 'web' })
      const attach = (host: string) => team.owner('PUT', `/v1/domains/${host}`, { project: 'web' })
      const [first, gone, second] = await Promise.all([
        attach(name),
        team.owner('DELETE', '/v1/projects/web'),
        attach(`www.${name}`),
      ])
      expect(gone.status).toBe(200)
      for (const { status } of [first, second]) expect([200, 404]).toContain(status)
      const { body } = await team.owner('GET', '/v1/domains')
      for (const { project } of body.data) expect(project).toBeNull()
    }
  })

  it('allows a new project of the same name', async () => {
    const team = await newTeam(node)
    const { body: old } = await team.owner('PUT', '/v1/projects/web', {
      spa: true,
      env: [{ key: 'A', value: '1' }],
    })
    await deploy(team, { target: 'production' })
    await team.owner('DELETE', '/v1/projects/web')
    const { body } = await team.owner('PUT', '/v1/projects/web')
    expect(body.id).not.toBe(old.id)
    expect(body).toMatchObject({ spa: false, env: [], production_deployment: null })
    expect(body.production_url).toBe(old.production_url)
    expect((await visit(body.production_url)).status).toBe(404)
  })
})
