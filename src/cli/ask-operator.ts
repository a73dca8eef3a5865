/** Requests that only the owner of the machine or the database may make. */
import type { AdminInput, AdminOutput, AdminRequest } from '../data-dir/admin-protocol.ts'
import type { Io } from './io.ts'
import { nodeSettings } from './node-settings.ts'

/** The response of the running node, or of the database where no node runs. @throws as `askAdmin` does. */
export async function askOperator<R extends AdminRequest>(
  io: Io,
  requested: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  // Loaded on demand: other commands start faster without it.
  const [settings, { askAdmin }] = await Promise.all([nodeSettings(io), import('./admin/ask-admin.ts')])
  // Most of the program, needed only if no node runs.
  const openDirectly = async () => (await import('../node/admin.ts')).askDirectly(settings, requested, input)
  return askAdmin({ directory: settings.SVC_DATA_DIR, requested, input, openDirectly })
}
