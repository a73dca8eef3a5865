/** The sandbox of a node, for builds and servers, and the Node that these run with. */
import { checkSandbox, type FindProblem } from '../../platform/sandbox/availability.ts'
import { canLimitMemory } from '../../platform/sandbox/memory-group.ts'
import { type NodeRuntime, runtimeOf } from '../../platform/sandbox/runtime-of.ts'
import { clearWorkspaces } from '../../platform/sandbox/workspace.ts'
import { networkOf } from './build-networks.ts'
import type { NodeContext } from './context.ts'
import { workspacesOf } from './data-places.ts'

export type NodeSandbox = {
  node: NodeRuntime
  /** Whether control groups limit memory. */
  hasGroups: boolean
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
export async function openSandbox({
  settings,
  sandboxUids: uids,
  log,
}: Pick<NodeContext, 'settings' | 'sandboxUids' | 'log'>): Promise<NodeSandbox> {
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
  const network = networkOf(settings)
  const { builds, servers, settle } = checkSandbox({ isolation, network, node: node.path, root, uids, log })
  return { node, hasGroups, buildProblem: builds, serverProblem: servers, close: settle }
}
