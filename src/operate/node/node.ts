/** A node: opens the stores, starts its roles, and stops them in order. */

import { type AdminSocket, listenAdmin } from '../../api/server/admin-socket.ts'
import { builtPlace, type DashboardPlace } from '../../api/server/dashboard/dashboard.ts'
import { defaultTimeouts, type Timeouts } from '../../api/server/http/timeouts.ts'
import type { Logger } from '../../lib/log/logger.ts'
import type { Environment } from '../../lib/settings/parse.ts'
import type { Settings } from '../../lib/settings/variables.ts'
import { trashLimitsOf } from '../../platform/deployments/caps.ts'
import { setUp } from '../../platform/teams/set-up.ts'
import type { OwnerKey } from '../../stores/data-dir/admin-protocol.ts'
import { createAdminHandlers, createCheckHandler, createPersonLink } from './admin.ts'
import { type NodeContext, openContext } from './context.ts'
import { type Installation, openInstallation, withDataDirectory } from './installation.ts'
import { createParts } from './parts.ts'
import { type Addresses, startRoles } from './roles.ts'

export type Node = Addresses & {
  /** The first owner key, after the first start on an empty database. */
  firstKey: OwnerKey | undefined
  /** With it, the URL at which the first user sets a password. */
  firstLink: string | undefined
  /** Refuses new requests, waits up to `SVC_STOP_MS` for running ones, flushes, closes. */
  stop(): Promise<void>
}

type Options = {
  log: Logger
  /** The source of the settings; by default the environment of this process. */
  environment?: Environment
  nowMs?: () => number
  timeouts?: Timeouts
  dashboard?: DashboardPlace
}

/** Opens the installation and starts a node on it. @throws as `openInstallation` and `runNode` do. */
export async function startNode(settings: Settings, options: Options): Promise<Node> {
  return withDataDirectory(settings, async () =>
    runNode(await openInstallation(settings, { log: options.log }), settings, options),
  )
}

/**
 * Starts a node on an open installation, which is closed when the node stops or fails to start; the node is
 * ready when this returns.
 * @throws SettingsError when a port is in use.
 */
export async function runNode(
  installation: Installation,
  settings: Settings,
  {
    log,
    environment = process.env,
    nowMs = installation.nowMs,
    timeouts = defaultTimeouts,
    dashboard = builtPlace,
  }: Options,
): Promise<Node> {
  const parts = createParts((error) => log.error({ err: error }, 'A part of this node did not stop cleanly.'))
  parts.add(installation)
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await parts.close()
  }
  try {
    const given = {
      settings,
      environment,
      installation,
      log,
      nowMs,
      timeouts,
      dashboard,
      stopping: stopping.signal,
    }
    const context = await openContext(given, parts)
    const addresses = await startRoles(context, parts)
    parts.add(await startAdmin(context, addresses))
    // Last, so that a failed start doesn't consume the only display of the key.
    return { ...addresses, ...(await makeFirstKey(context, addresses)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function startAdmin(context: NodeContext, { apiUrl }: Addresses): Promise<AdminSocket> {
  const { settings, installation, removal, log, nowMs } = context
  const trash = trashLimitsOf(settings)
  const directory = settings.SVC_DATA_DIR
  const handlers = createAdminHandlers({ ...installation, directory, apiUrl, trash, nowMs, removal })
  const check = createCheckHandler({ ...installation, trash, nowMs })
  return listenAdmin({ directory, handlers, check, log })
}

/** On a node with the API, where people look for it. */
async function makeFirstKey(
  { settings, installation, nowMs }: NodeContext,
  { apiUrl }: Addresses,
): Promise<Pick<Node, 'firstKey' | 'firstLink'>> {
  if (!settings.SVC_ROLES.includes('api') || apiUrl === undefined)
    return { firstKey: undefined, firstLink: undefined }
  const { store, keys } = installation
  const firstKey = await setUp(store, keys.check, nowMs())
  const firstLink = firstKey && (await createPersonLink({ store, apiUrl, nowMs })).url
  return { firstKey, firstLink }
}
