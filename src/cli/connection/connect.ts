/** The typed client of the commands. */
import type { TRPCClient } from '@trpc/client'
import { type AppRouter, createClient } from '../../api/client/index.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { findProjectFile } from '../project-file/project-file.ts'
import { announceWait } from './announce-wait.ts'
import { ask } from './ask.ts'
import { identityFor, keyFor, notLoggedIn, serverUrl } from './credentials.ts'
import { type ExchangedJwts, exchangedJwts, type Scope, sendWithJwt } from './identity/exchanged-jwts.ts'
import { versionWarning } from './version-warning.ts'

export type Api = TRPCClient<AppRouter>

/** The IP address that the server's last answer came from. */
export type Peer = { address: string | undefined }

/** With `token`, the API key, or with `jwts` of a job that has an identity instead. */
export type Access =
  | { url: string; token: string; fromEnvironment?: boolean; jwts?: undefined }
  | { url: string; token?: undefined; fromEnvironment?: undefined; jwts: ExchangedJwts }

/**
 * A client of the server in the environment, the options or the last login. Without a key, the identity
 * token of a job is exchanged at the first call, for `scope`: by default `SVC_TEAM`, and the project of the
 * working directory's `svc.json`.
 * @throws Failure (3) if there is neither.
 */
export function connect(
  io: Io,
  options: GlobalOptions,
  scope: Scope = {},
): Access & { api: Api; peer: Peer } {
  const peer: Peer = { address: undefined }
  const access = accessTo(io, serverUrl(io, options), scope)
  return { ...access, peer, api: clientOf(io, options, access, peer) }
}

function accessTo(io: Io, url: string, { team, project }: Scope): Access {
  const key = keyFor(io, url)
  if (key) return { url, ...key }
  const identity = identityFor(io, url)
  if (!identity) throw notLoggedIn(io, url)
  const scope = () => ({
    team: team ?? io.env.SVC_TEAM,
    project: project ?? findProjectFile(process.cwd())?.project,
  })
  return { url, jwts: exchangedJwts(io, url, identity, scope) }
}

/**
 * A client of the server at `url` with this access, which notes its peer; its calls and waits end on Ctrl-C.
 */
export function clientOf(
  io: Io,
  { json }: GlobalOptions,
  { url, token, jwts }: Access,
  peer: Peer = { address: undefined },
): Api {
  const compareVersion = json ? () => {} : versionWarning(io, url)
  return createClient({
    url,
    token,
    retry: { signal: io.signal, ...(!json && { onWait: announceWait(io) }) },
    fetch: async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
      const send = (authorization: { authorization?: string }) =>
        ask(url, String(address), {
          method,
          headers: { ...Object.fromEntries(Object.entries(headers)), ...authorization },
          ...(typeof body === 'string' && { body }),
          env: io.env,
          stops: signal ? [io.signal, signal] : [io.signal],
        })
      const { text, ...answer } = await (jwts
        ? sendWithJwt(jwts, (jwt) => send({ authorization: `Bearer ${jwt}` }))
        : send({}))
      peer.address = answer.peer
      compareVersion(answer.headers.get('x-svc-version'))
      return { ok: true, status: answer.status, headers: answer.headers, json: async () => JSON.parse(text) }
    },
  })
}
