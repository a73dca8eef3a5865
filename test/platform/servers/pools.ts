/** Servers of a node's deployments, and pools that run a plain program in place of each. */
import { eq } from 'drizzle-orm'
import type { HoldBounds } from '../../../src/platform/servers/holds.ts'
import { createServerPool, type PoolDeps } from '../../../src/platform/servers/pool.ts'
import type { ServerProcess } from '../../../src/platform/servers/server-process.ts'
import type { ServerPool, ServerWanted } from '../../../src/platform/servers/servers.ts'
import { deployments, projects, type RuntimeSettings } from '../../../src/stores/db/schema/projects.ts'
import { createTestLog } from '../../support/kept-logs.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { insertDeployment } from '../deployments/steps.ts'
import { answering, startPlain } from './plain-process.ts'

export const mebibyte = 1024 * 1024

const pools: ServerPool[] = []

/** Ends all pools of `newPool`. */
export async function closePools(): Promise<void> {
  await Promise.all(pools.splice(0).map((pool) => pool.close(5_000)))
}

type Given = { runtime?: Partial<RuntimeSettings>; untrusted?: boolean; team?: TestTeam; project?: string }

/** A deployment with a server, in a new project. */
export async function newServer(node: TestNode, { runtime = {}, untrusted = false, ...given }: Given = {}) {
  const { db } = node.installation.store
  const team = given.team ?? (await newTeam(node))
  const { body: project } = await team.owner('PUT', `/v1/projects/${given.project ?? 'web'}`)
  const id = await insertDeployment(node, team, { state: 'ready', target: 'preview', createdMs: 1_000 })
  const server = { command: 'node .', directory: '', node: '24.0.0', platform: 'linux-x64-glibc' }
  const set = { server, serverManifestId: 1, untrusted, projectId: project.id }
  await db.update(deployments).set(set).where(eq(deployments.id, id))
  await db.update(projects).set({ runtime }).where(eq(projects.id, project.id))
  const wanted: ServerWanted = {
    teamId: team.id,
    projectId: project.id,
    deploymentId: id,
    target: 'preview',
  }
  return { team, project, wanted }
}

type Options = {
  /** The programs of the starts, one after the other; the last one goes on. */
  programs?: string[]
  room?: PoolDeps['room']
  bounds?: HoldBounds
  times?: PoolDeps['times']
  problem?: string
  /** Resolves before each start. */
  before?: () => Promise<void>
}

/** A pool with a clock that stands still unless it is moved. */
export function newPool(
  node: TestNode,
  { programs = [answering], room, bounds, times, problem, before }: Options = {},
) {
  const clock = { nowMs: 1_000_000 }
  const said: string[] = []
  const counts = { started: 0, crashed: 0, evicted: 0 }
  const processes: ServerProcess[] = []
  const { store } = node.installation
  const pool = createServerPool({
    db: store.db,
    changes: store.changes,
    logs: {
      of: () => ({ print() {}, drop() {}, say: (_level, text) => void said.push(text), end() {} }),
      async close() {},
    },
    log: createTestLog([]),
    nowMs: () => clock.nowMs,
    problem: async () => problem,
    async start() {
      await before?.()
      const program = programs[Math.min(processes.length, programs.length - 1)] ?? answering
      const process = await startPlain(program)
      processes.push(process)
      return process
    },
    room: room ?? { processes: 10, bytes: 10_000 * mebibyte },
    observe(event) {
      counts[event] += 1
    },
    ...(bounds && { bounds }),
    ...(times && { times }),
  })
  pools.push(pool)
  const lease = (wanted: ServerWanted) => pool.lease(wanted, AbortSignal.timeout(60_000))
  const stateOf = (wanted: ServerWanted) =>
    pool.list().find(({ deploymentId }) => deploymentId === wanted.deploymentId)?.state ?? 'stopped'
  return { pool, lease, clock, said, counts, processes, stateOf }
}
