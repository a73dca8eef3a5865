/** The typed client of the commands. */
import type { TRPCClient } from '@trpc/client'
import { type AppRouter, createClient } from '../../client/index.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { announceWait } from './announce-wait.ts'
import { ask } from './ask.ts'
import { type Credentials, credentials } from './credentials.ts'
import { versionWarning } from './version-warning.ts'

export type Api = TRPCClient<AppRouter>

/**
 * A client of the server in the environment, the options or the last login.
 * @throws Failure (3) if not logged in.
 */
export function connect(io: Io, options: GlobalOptions): Credentials & { api: Api } {
  const found = credentials(io, options)
  return { ...found, api: clientOf(io, options, found) }
}

/** A client of the server at `url` that uses `token`; its calls and waits end on Ctrl-C. */
export function clientOf(
  io: Io,
  { json }: GlobalOptions,
  { url, token }: { url: string; token: string },
): Api {
  const compareVersion = json ? () => {} : versionWarning(io, url)
  return createClient({
    url,
    token,
    retry: { signal: io.signal, ...(!json && { onWait: announceWait(io) }) },
    fetch: async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
      const {
        status,
        headers: received,
        text,
      } = await ask(url, String(address), {
        method,
        headers: Object.fromEntries(Object.entries(headers)),
        ...(typeof body === 'string' && { body }),
        stops: signal ? [io.signal, signal] : [io.signal],
      })
      compareVersion(received.get('x-svc-version'))
      return { ok: true, status, headers: received, json: async () => JSON.parse(text) }
    },
  })
}
