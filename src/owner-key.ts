/** A new owner key straight from the database, for when no node runs on the data directory. */
import { createOperatorKey, setUp } from './auth/installation.ts'
import type { OwnerKey } from './data-dir/admin-protocol.ts'
import { openInstallation } from './installation.ts'
import type { Settings } from './settings.ts'

/** On an empty database this is its first key. @throws as `openInstallation` does. */
export async function createOwnerKeyDirectly(settings: Settings): Promise<OwnerKey> {
  const { store, keys, close } = await openInstallation(settings)
  try {
    const nowMs = Date.now()
    return (await setUp(store, keys.check, nowMs)) ?? (await createOperatorKey(store.db, nowMs))
  } finally {
    await close()
  }
}
