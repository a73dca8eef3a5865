/** Asks for what only the owner of the machine or the database may ask for. */
import type { AdminInput, AdminOutput, AdminRequest } from '../data-dir/admin-protocol.ts'
import type { Io } from './io.ts'
import { nodeSettings } from './node-settings.ts'

/** The answer of the running node, or straight of the database where none runs. @throws as `askAdmin` does. */
export async function askOperator<R extends AdminRequest>(
  io: Io,
  asked: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  // Loaded when needed: other commands would only wait for it.
  const [settings, { askAdmin }] = await Promise.all([nodeSettings(io), import('./admin/ask-admin.ts')])
  // Most of the program, which is needed only where no node runs.
  const openDirectly = async () => (await import('../node/admin.ts')).askDirectly(settings, asked, input)
  return askAdmin({ directory: settings.SVC_DATA_DIR, asked, input, openDirectly })
}
