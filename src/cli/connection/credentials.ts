/** The server and the API key of a command. */

import { parseUrl } from '../../lib/names/parse-url.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { type Config, configPath, readConfig, writeConfig } from './config-file.ts'
import { type IdentityTokens, identityTokens } from './identity/identity-tokens.ts'

const defaultUrl = 'http://localhost:3000'

export type Credentials = {
  /** The server's origin. */
  url: string
  token: string
  /** Whether the key is from the environment instead of `svc login`. */
  fromEnvironment: boolean
}

/**
 * The server: `--url`, else `SVC_URL`, else the last one logged in to, else this machine's.
 * @throws Failure if it is no address.
 */
export function serverUrl(io: Io, options: GlobalOptions): string {
  const given = options.url ?? (io.env.SVC_URL || undefined)
  if (given !== undefined) return readAddress(given, options.url === undefined ? 'SVC_URL' : '--url')
  return readConfig(configPath(io.env)).url ?? defaultUrl
}

/**
 * The server and its key: `SVC_TOKEN`, else the one that `svc login` stored for this server, so that no
 * server gets the key of another.
 * @throws Failure (3) if there is none.
 */
export function credentials(io: Io, options: GlobalOptions): Credentials {
  const url = serverUrl(io, options)
  const found = keyFor(io, url)
  if (found) return { url, ...found }
  throw notLoggedIn(io, url)
}

/** The key of the server at `url`, as `credentials` finds it; undefined where there is none. */
export function keyFor(io: Io, url: string): Omit<Credentials, 'url'> | undefined {
  if (io.env.SVC_TOKEN) {
    return { token: checkToken(io.env.SVC_TOKEN.trim(), 'SVC_TOKEN'), fromEnvironment: true }
  }
  const token = readConfig(configPath(io.env)).tokens[url]
  return token ? { token, fromEnvironment: false } : undefined
}

/**
 * The identity tokens of a job without a key, for the server at `url`. Only `SVC_URL` decides where they are
 * sent: an `svc.json` may come from anybody, and a token may be for several audiences.
 */
export function identityFor(io: Io, url: string): IdentityTokens | undefined {
  return io.env.SVC_URL && serverUrl(io, {}) === url ? identityTokens(io) : undefined
}

/** The error of a command that has neither a key nor an identity token. */
export function notLoggedIn(io: Io, url: string): Failure {
  return new Failure(exitCodes.notAllowed, {
    reason: 'not_logged_in',
    message: `You are not logged in to ${url}: ${adviceFor(io, url)}.`,
  })
}

/** The advice on how to log in, by the system that runs the command. */
function adviceFor(io: Io, url: string): string {
  const { env } = io
  if (identityTokens(io) && !identityFor(io, url))
    return `set SVC_URL to ${url} to send it the identity token of this job`
  // Not every command uses one.
  if (identityTokens(io)) return 'run `svc login`, or set SVC_TOKEN'
  if (env.GITHUB_ACTIONS || env.GITEA_ACTIONS || env.FORGEJO_ACTIONS) {
    return (
      'give the job an identity token (`permissions: id-token: write`, with Forgejo ' +
      '`enable-openid-connect: true`), or set SVC_TOKEN. Pull requests from forks get neither'
    )
  }
  if (env.GITLAB_CI) {
    return `give the job an identity token (\`id_tokens\`, SVC_OIDC_TOKEN with aud: ${url}), or set SVC_TOKEN`
  }
  return 'run `svc login`, or set SVC_TOKEN'
}

/**
 * The key of the server at `origin`, as `credentials` finds it; undefined where there is none. `SVC_TOKEN` is
 * for the server that commands use, and for no other.
 */
export function keyOf(io: Io, options: GlobalOptions, origin: string): string | undefined {
  if (io.env.SVC_TOKEN && serverUrl(io, options) === origin) return credentials(io, options).token
  const token = readConfig(configPath(io.env)).tokens[origin]
  return token === undefined ? undefined : checkToken(token, `The key that is stored for ${origin}`)
}

/** Stores the key of a server, and makes that server the default. */
export async function storeToken(io: Io, url: string, token: string): Promise<void> {
  await change(io, ({ tokens }) => ({ url, tokens: { ...tokens, [url]: token } }))
}

/** Removes the key of a server. Resolves to whether there was one. */
export async function forgetToken(io: Io, url: string): Promise<boolean> {
  const { tokens } = readConfig(configPath(io.env))
  if (!Object.hasOwn(tokens, url)) return false
  await change(io, (config) => {
    const { [url]: _forgotten, ...others } = config.tokens
    return config.url && config.url !== url ? { url: config.url, tokens: others } : { tokens: others }
  })
  return true
}

/**
 * The key for use in a header: without blanks, ASCII only.
 * @throws Failure that names `source`, without the key.
 */
export function checkToken(token: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw usageFailure(`${source} is not an API key. A key is one word that begins with svc_.`)
}

async function change(io: Io, edit: (config: Config) => Config): Promise<void> {
  const path = configPath(io.env)
  await writeConfig(path, edit(readConfig(path)))
}

function readAddress(text: string, source: string): string {
  const url = parseUrl(text)
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  if (bare && ['http:', 'https:'].includes(url.protocol)) return url.origin
  throw usageFailure(`${source} should be an address such as https://svc.example.com, without a path.`)
}
