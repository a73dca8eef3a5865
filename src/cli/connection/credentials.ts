/** Which server a command talks to, and with which API key. */

import { exitCodes } from '../exit-codes.ts'
import { Failure, usageFailure } from '../failure.ts'
import type { GlobalOptions, Io } from '../io.ts'
import { type Config, configPath, readConfig, writeConfig } from './config-file.ts'

const defaultUrl = 'http://localhost:3000'

export type Credentials = {
  /** The server's origin. */
  url: string
  token: string
  /** Whether the key is from the environment, not from `svc login`. */
  fromEnvironment: boolean
}

/**
 * The server: `--url`, else `SVC_URL`, else the one logged in to last, else this machine's.
 * @throws Failure when it isn't an address.
 */
export function serverUrl(io: Io, options: GlobalOptions): string {
  const given = options.url ?? (io.env.SVC_URL || undefined)
  if (given !== undefined) return parseUrl(given, options.url === undefined ? 'SVC_URL' : '--url')
  return readConfig(configPath(io.env)).url ?? defaultUrl
}

/**
 * The server and the key for it: `SVC_TOKEN`, else what `svc login` stored for just this server, so that no server is
 * ever sent the key of another.
 * @throws Failure (3) when there is none.
 */
export function credentials(io: Io, options: GlobalOptions): Credentials {
  const url = serverUrl(io, options)
  if (io.env.SVC_TOKEN) {
    return { url, token: checkToken(io.env.SVC_TOKEN.trim(), 'SVC_TOKEN'), fromEnvironment: true }
  }
  const token = readConfig(configPath(io.env)).tokens[url]
  if (token) return { url, token, fromEnvironment: false }
  throw new Failure(exitCodes.notAllowed, {
    reason: 'not_logged_in',
    message: `You are not logged in to ${url}: run \`svc login\`, or set SVC_TOKEN.`,
  })
}

/** Keeps the key of a server, and makes that server the one that is used when none is named. */
export async function storeToken(io: Io, url: string, token: string): Promise<void> {
  await change(io, ({ tokens }) => ({ url, tokens: { ...tokens, [url]: token } }))
}

/** Forgets the key of a server. Resolves to whether there was one. */
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
 * The key as it is sent in a header, which has no blanks and nothing beyond ASCII in it.
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

function parseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  if (bare && ['http:', 'https:'].includes(url.protocol)) return url.origin
  throw usageFailure(`${source} should be an address such as https://svc.example.com, without a path.`)
}
