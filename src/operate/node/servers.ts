/** Runs the servers of deployments on a node with the role `edge`; its other processes lease them. */
import { openKeptFiles } from '../../platform/servers/kept-files/kept-files.ts'
import { createServerLogs } from '../../platform/servers/lines.ts'
import { createServerPool, type ServerObserver } from '../../platform/servers/pool.ts'
import { nodeName, reportServers } from '../../platform/servers/report.ts'
import type { ServerPool } from '../../platform/servers/servers.ts'
import { startDeployed } from '../../platform/servers/start-deployed.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import type { NodeContext } from './context.ts'
import { keptFilesOf } from './data-places.ts'
import type { NodeSandbox } from './sandbox.ts'
import { serverRoomOf } from './server-room.ts'

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'sandboxUids' | 'log' | 'nowMs' | 'stopping'> & {
  sandbox: NodeSandbox
  /** The address below which sites are; with port 0 only once the edge listens. */
  sitesUrl: () => string
  observe: ServerObserver
}

export type NodeServers = Pick<ServerPool, 'lease' | 'isRunning' | 'takeOver' | 'list' | 'waiting'> & {
  close(): Promise<void>
}

/** The least time for the end of servers, whatever the requests before took of the node's stop. */
const leastStopMs = 1_000

/** How often files are removed whose deployments are deleted. */
const sweepMs = 10 * 60_000

/** Resolves once what an earlier process left is removed. A node that can't run servers serves all else. */
export async function openServers(deps: Deps): Promise<NodeServers> {
  const { settings, installation, sandbox, sandboxUids: uids, log, nowMs, stopping } = deps
  const { store, keys, disk } = installation
  const { db, changes } = store
  const kept = await openKeptFiles({
    db,
    blobs: installation.origin,
    root: keptFilesOf(settings),
    maxBytes: settings.SVC_RUNTIME_DISK_BYTES,
    disk,
    nowMs,
  })
  const sweep = {
    name: 'remove files of servers',
    everyMs: sweepMs,
    run: () => kept.sweep().then(() => false),
  }
  const stopSweeping = startLoop([sweep], log)
  const logs = createServerLogs({ db, log, nowMs })
  const { node, hasGroups, wayOut, runDirectory: root = '' } = sandbox
  const parts = { root, uids, node, hasGroups, wayOut, nowMs }
  const started = { ...parts, db, envKey: keys.env, kept, sitesUrl: deps.sitesUrl }
  const pool = createServerPool({
    db,
    changes,
    logs,
    log,
    nowMs,
    problem: sandbox.serverProblem,
    start: (server, serverLog, signal) =>
      startDeployed({ ...started, isolation: 'bubblewrap' }, server, serverLog, signal),
    room: serverRoomOf(settings),
    observe: deps.observe,
  })
  const report = reportServers({ db, log, node: nodeName(settings.SVC_DATA_DIR), list: pool.list })
  const endReports = pool.onChange(report.changed)
  let stopsMs = 0
  stopping.addEventListener('abort', () => {
    stopsMs = performance.now()
  })
  return {
    lease: pool.lease,
    isRunning: pool.isRunning,
    takeOver: pool.takeOver,
    list: pool.list,
    waiting: pool.waiting,
    async close() {
      const spentMs = stopsMs === 0 ? 0 : performance.now() - stopsMs
      await pool.close(Math.max(leastStopMs, settings.SVC_STOP_MS - spentMs))
      endReports()
      await stopSweeping()
      await Promise.all([report.close(), logs.close(), kept.close()])
    },
  }
}
