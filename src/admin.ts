/** What only the owner of the machine or the database may ask for, whether a node runs or not. */
import { createOperatorKey, setUp } from './auth/installation.ts'
import { createLink } from './auth/people/links.ts'
import { linkPath } from './auth/people/paths.ts'
import { setPlan } from './auth/teams/plan.ts'
import type { AdminHandlers, AdminInput, AdminOutput, AdminRequest } from './data-dir/admin-protocol.ts'
import type { Store } from './db/store.ts'
import { type Installation, openInstallation } from './installation.ts'
import { publicUrl } from './public-url.ts'
import type { Settings } from './settings/variables.ts'

type Options = Pick<Installation, 'store' | 'keys'> & { apiUrl: string; nowMs: () => number }

/** The answers to requests of the administrator. */
export function createAdminHandlers({ store, keys, apiUrl, nowMs }: Options): AdminHandlers {
  return {
    createOwnerKey: async () =>
      // On an empty database this is its first key.
      (await setUp(store, keys.check, nowMs())) ?? (await createOperatorKey(store.db, nowMs())),
    createPersonLink: ({ email }) => createPersonLink({ store, apiUrl, nowMs }, email),
    setPlan: (change) => setPlan(store, change),
  }
}

/**
 * A link with which a person sets a password; without an address it is for the first user.
 * @throws AppError as `createLink` does.
 */
export async function createPersonLink(
  { store, apiUrl, nowMs }: { store: Store; apiUrl: string; nowMs: () => number },
  email?: string,
): Promise<{ url: string; expires_ms: number }> {
  const { token, expiresMs } = await createLink(store, email, nowMs())
  return { url: `${apiUrl}${linkPath}?token=${token}`, expires_ms: expiresMs }
}

/**
 * The answer to a request, straight from the database, for when no node runs on the data directory.
 * @throws as `openInstallation` and the handler do.
 */
export async function askDirectly<R extends AdminRequest>(
  settings: Settings,
  asked: R,
  input: AdminInput<R>,
): Promise<AdminOutput<R>> {
  const { store, keys, close } = await openInstallation(settings)
  try {
    const apiUrl = publicUrl(settings, { port: settings.SVC_PORT, tlsPort: settings.SVC_TLS_PORT })
    return await createAdminHandlers({ store, keys, apiUrl, nowMs: Date.now })[asked](input)
  } finally {
    await close()
  }
}
