/** The typed client of the commands. */
import type { TRPCClient } from '@trpc/client'
import { type AppRouter, createClient } from '../../client/index.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { ask } from './ask.ts'
import { type Credentials, credentials } from './credentials.ts'

export type Api = TRPCClient<AppRouter>

/**
 * A client of the server in the environment, the options or the last login.
 * @throws Failure (3) if not logged in.
 */
export function connect(io: Io, options: GlobalOptions): Credentials & { api: Api } {
  const found = credentials(io, options)
  return { ...found, api: clientOf(io, found) }
}

/** A client of the server at `url` that uses `token`; its calls abort on Ctrl-C. */
export function clientOf(io: Io, { url, token }: { url: string; token: string }): Api {
  return createClient({
    url,
    token,
    fetch: async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
      const text = await ask(url, String(address), {
        method,
        headers: Object.fromEntries(Object.entries(headers)),
        ...(typeof body === 'string' && { body }),
        stops: signal ? [io.signal, signal] : [io.signal],
      })
      return { ok: true, json: async () => JSON.parse(text) }
    },
  })
}
