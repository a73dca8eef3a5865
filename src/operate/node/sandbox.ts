/** The sandbox of a node, for builds and servers, and the Node that these run with. */
import type { Logger } from '../../lib/log/logger.ts'
import { SettingsError } from '../../lib/settings/error.ts'
import { checkSandbox, type FindProblem } from '../../platform/sandbox/availability.ts'
import { canLimitMemory } from '../../platform/sandbox/memory-group.ts'
import { type NodeRuntime, runtimeOf } from '../../platform/sandbox/runtime-of.ts'
import { clearWorkspaces } from '../../platform/sandbox/workspace.ts'
import { openRunDirectory } from '../../platform/servers/run-directory.ts'
import type { WayOut } from '../../platform/servers/way-out/way-out.ts'
import { networkOf } from './build-networks.ts'
import type { NodeContext } from './context.ts'
import { workspacesOf } from './data-places.ts'
import { openWayOut } from './way-out.ts'

export type NodeSandbox = {
  node: NodeRuntime
  /** Whether control groups limit memory. */
  hasGroups: boolean
  /** The directory of the sockets of servers; undefined where their paths would be too long. */
  runDirectory: string | undefined
  /** The way out of servers. */
  wayOut: WayOut
  /** Why this node can't build; undefined if it can. */
  buildProblem: FindProblem
  /** The same of servers. */
  serverProblem: FindProblem
  /** Resolves when no check is running, whose workspace is where the next build may want to work. */
  close(): Promise<void>
}

/**
 * Resolves once what an earlier process left is removed; whether there is a sandbox turns out later.
 * @throws SettingsError when `SVC_NODE` can't be run.
 */
export async function openSandbox(
  context: Pick<NodeContext, 'settings' | 'routing' | 'sandboxUids' | 'log'>,
): Promise<NodeSandbox> {
  const { settings, sandboxUids: uids, log } = context
  const { SVC_BUILD_SANDBOX: isolation } = settings
  const root = workspacesOf(settings)
  const node = await runtimeOf(settings.SVC_NODE)
  await clearWorkspaces(root)
  const hasGroups = await canLimitMemory(settings.SVC_BUILD_MEMORY_BYTES)
  if (hasGroups) log.info('The memory of builds and servers is limited by control groups.')
  else
    log.warn(
      'No control group can be created here: the memory of builds and servers is polled, ' +
        'and each may hold up to 256 MiB besides in pipes and sockets.',
    )
  const runDirectory = await openRunDirectory(settings.SVC_DATA_DIR).catch((error: unknown) =>
    withoutServers(error, log),
  )
  const network = networkOf(settings)
  const { builds, servers, settle } = checkSandbox({ isolation, network, node, root, uids, log })
  const serverProblem = runDirectory === undefined ? async () => noServers : servers
  const wayOut = await openWayOut(context)
  return { node, hasGroups, runDirectory, wayOut, buildProblem: builds, serverProblem, close: settle }
}

const noServers = 'This node runs no servers; its log says why.'

/** A node whose `SVC_DATA_DIR` is too long for sockets does all else. @throws any other error. */
function withoutServers(error: unknown, log: Logger): undefined {
  if (!(error instanceof SettingsError)) throw error
  log.warn(`Servers are off on this node: ${error.message}`)
}
