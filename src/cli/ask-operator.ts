/** Requests that only the owner of the machine or the database may make. */
import type { AdminInput, AdminOutput, AdminRequest } from '../stores/data-dir/admin-protocol.ts'
import type { Io } from './io.ts'
import { nodeSettings } from './node-settings.ts'

/**
 * The response of the running node, or of the database where no node runs.
 * @throws as `requestAdmin` does.
 */
export async function askOperator<R extends AdminRequest>(
  io: Io,
  requested: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  const settings = await nodeSettings(io)
  // Loaded on demand: other commands start faster without it.
  const { requestAdmin } = await import('./admin/request-admin.ts')
  // Most of the program, needed only if no node runs.
  const openDirectly = async () =>
    (await import('../operate/node/admin.ts')).requestDirectly(settings, requested, input)
  return requestAdmin({ directory: settings.SVC_DATA_DIR, requested, input, openDirectly })
}
