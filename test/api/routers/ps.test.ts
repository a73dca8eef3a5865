/** Servers as members see them: those that run on any node, each deployment's state, and their restart. */
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeServerRows } from '../../../src/platform/servers/server-rows.ts'
import type { ServerStatus } from '../../../src/platform/servers/server-status.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { servers } from '../../../src/stores/db/schema/servers.ts'
import { deploy } from '../../platform/deployments/steps.ts'
import type { Api } from '../../support/api.ts'
import { addLimited } from '../../support/limits.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let live: { id: string }

const frozen = { command: 'node server.js', directory: '', node: '24.1.0', platform: 'linux-x64-glibc' }

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  live = await newServer('web')
})

const db = () => node.installation.store.db

/** A live deployment of the project that has a server. */
async function newServer(project: string): Promise<{ id: string }> {
  const made = await deploy(team, { project, target: 'production' })
  await db().update(deployments).set({ server: frozen }).where(eq(deployments.id, made.id))
  return made
}

const status = (fields: Partial<ServerStatus> = {}): ServerStatus => ({
  teamId: team.id,
  projectId: '',
  deploymentId: live.id,
  target: 'production',
  state: 'running',
  sinceMs: 5_000,
  memoryBytes: 1_000,
  restarts: 1,
  ...fields,
})

const say = (name: string, ...running: ServerStatus[]) => writeServerRows(db(), name, { running, gone: [] })

const input = (value: object) => encodeURIComponent(JSON.stringify(value))
const list = async (api: Api = team.owner, filter: object = {}) =>
  (await api('GET', `/trpc/ps.list?input=${input(filter)}`)).body.result.data.data
const restart = (api: Api, project = 'web') => api('POST', '/trpc/ps.restart', { project })
const serverOf = async ({ id }: { id: string }) =>
  (await team.owner('GET', `/v1/deployments/${id}`)).body.server

describe('ps.list', () => {
  it('has a row for each process and node', async () => {
    const preview = await deploy(team)
    await say('one', status(), status({ deploymentId: preview.id, target: 'preview', state: 'crashed' }))
    await say('two', status({ state: 'starting', memoryBytes: null, restarts: 0 }))
    const web = { project: 'web', deployment: live.id, target: 'production', live: true, since_ms: 5_000 }
    expect(await list()).toEqual([
      { ...web, node: 'one', state: 'running', memory_bytes: 1_000, restarts: 1 },
      { ...web, node: 'two', state: 'starting', memory_bytes: null, restarts: 0 },
      {
        ...web,
        deployment: preview.id,
        live: false,
        target: 'preview',
        node: 'one',
        state: 'crashed',
        memory_bytes: 1_000,
        restarts: 1,
      },
    ])
  })

  it('has those of one project alone, and refuses an unknown one', async () => {
    const other = await newServer('other')
    await say('one', status(), status({ deploymentId: other.id }))
    expect(await list()).toHaveLength(2)
    expect(await list(team.owner, { project: 'other' })).toMatchObject([{ deployment: other.id }])
    const { status: refused, body } = await team.owner(
      'GET',
      `/trpc/ps.list?input=${input({ project: 'no' })}`,
    )
    expect([refused, body.error.data.reason]).toEqual([404, 'project_not_found'])
  })

  it('has none of other teams, nor of projects that a member does not see', async () => {
    const other = await newServer('other')
    await say('one', status(), status({ deploymentId: other.id }))
    const stranger = await newTeam(node)
    expect(await list(stranger.owner)).toEqual([])
    const { api } = await addMember(node, team)
    expect(await list(api)).toHaveLength(2)
    const { id } = (await team.owner('GET', '/v1/projects/web')).body
    const limited = await addLimited(node, team, [id])
    expect(await list(limited.api)).toMatchObject([{ project: 'web' }])
  })

  it('has nothing of a node that has said nothing for half a minute', async () => {
    await say('one', status())
    await db()
      .update(servers)
      .set({ leaseUntilMs: Date.now() - 1_000 })
      .where(eq(servers.deploymentId, live.id))
    expect(await list()).toEqual([])
    expect(await serverOf(live)).toMatchObject({ state: 'stopped', memory_bytes: null, restarts: 0 })
  })
})

describe('a deployment', () => {
  it('of files alone has no server', async () => {
    expect(await serverOf(await deploy(team))).toBeNull()
  })

  it('is stopped until a node says otherwise', async () => {
    expect(await serverOf(live)).toEqual({
      state: 'stopped',
      command: 'node server.js',
      node: '24.1.0',
      memory_bytes: null,
      restarts: 0,
    })
  })

  it('has the best state of all nodes, and what they need together', async () => {
    await say('one', status({ state: 'crashed', memoryBytes: null, restarts: 4 }))
    expect(await serverOf(live)).toMatchObject({ state: 'crashed', memory_bytes: null, restarts: 4 })
    await say('two', status({ state: 'starting', memoryBytes: 500, restarts: 0 }))
    expect(await serverOf(live)).toMatchObject({ state: 'starting', memory_bytes: 500, restarts: 4 })
    await say('three', status({ memoryBytes: 1_000, restarts: 1 }), status({ target: 'preview' }))
    expect(await serverOf(live)).toMatchObject({ state: 'running', memory_bytes: 2_500, restarts: 6 })
    const { data } = (await team.owner('GET', '/v1/deployments')).body
    expect(data).toMatchObject([{ id: live.id, server: { state: 'running', restarts: 6 } }])
  })
})

describe('ps.restart', () => {
  it('by a member says since when, tells every node, and how many ran', async () => {
    await say('one', status(), status({ target: 'preview' }))
    const { api } = await addMember(node, team)
    const changes: Change[] = []
    const { changes: all } = node.installation.store
    const end = all.subscribe({ changed: (change) => changes.push(change), missed() {} })
    const beforeMs = Date.now()
    const { body } = await restart(api)
    end()
    const [project] = await db().select().from(projects).where(eq(projects.teamId, team.id))
    expect(body.result.data).toEqual({ project: 'web', restarted_ms: project?.restartedMs, servers: 2 })
    expect(project?.restartedMs).toBeGreaterThanOrEqual(beforeMs)
    expect(changes).toContainEqual({ kind: 'project', id: project?.id })
    const audit = (await team.owner('GET', '/v1/logs?kind=audit&limit=1')).body.data
    expect(audit).toMatchObject([{ message: 'restarted the servers of web', project: 'web' }])
  })

  it('of a project that the caller does not see is a 404, and restarts nothing', async () => {
    const { api } = await addLimited(node, team, [])
    const stranger = await newTeam(node)
    for (const each of [api, stranger.owner]) {
      const { status: refused, body } = await restart(each)
      expect([refused, body.error.data.reason]).toEqual([404, 'project_not_found'])
    }
    expect(await db().select().from(projects).where(eq(projects.teamId, team.id))).toMatchObject([
      { restartedMs: 0 },
    ])
  })
})
