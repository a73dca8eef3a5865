/** The typed client of the commands. */
import type { TRPCClient } from '@trpc/client'
import { type AppRouter, createClient } from '../../api/client/index.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { announceWait } from './announce-wait.ts'
import { ask } from './ask.ts'
import { type Credentials, credentials } from './credentials.ts'
import { versionWarning } from './version-warning.ts'

export type Api = TRPCClient<AppRouter>

/** The IP address that the server's last answer came from. */
export type Peer = { address: string | undefined }

/**
 * A client of the server in the environment, the options or the last login.
 * @throws Failure (3) if not logged in.
 */
export function connect(io: Io, options: GlobalOptions): Credentials & { api: Api; peer: Peer } {
  const found = credentials(io, options)
  const peer: Peer = { address: undefined }
  return { ...found, peer, api: clientOf(io, options, found, peer) }
}

/**
 * A client of the server at `url` that uses `token`, and notes its peer; its calls and waits end on Ctrl-C.
 */
export function clientOf(
  io: Io,
  { json }: GlobalOptions,
  { url, token }: { url: string; token: string },
  peer: Peer = { address: undefined },
): Api {
  const compareVersion = json ? () => {} : versionWarning(io, url)
  return createClient({
    url,
    token,
    retry: { signal: io.signal, ...(!json && { onWait: announceWait(io) }) },
    fetch: async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
      const { text, ...answer } = await ask(url, String(address), {
        method,
        headers: Object.fromEntries(Object.entries(headers)),
        ...(typeof body === 'string' && { body }),
        env: io.env,
        stops: signal ? [io.signal, signal] : [io.signal],
      })
      peer.address = answer.peer
      compareVersion(answer.headers.get('x-svc-version'))
      return { ok: true, status: answer.status, headers: answer.headers, json: async () => JSON.parse(text) }
    },
  })
}
