/** The proxy of a request, by the environment: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */

import { parseUrl } from '../../../lib/names/parse-url.ts'
import { usageFailure } from '../../command-failure.ts'
import type { HttpProxy } from './http-proxy.ts'

/** Variables of this process; never those of a directory's `.env`. */
type Environment = Record<string, string | undefined>

/**
 * The proxy for requests to `address`; undefined if they go there directly. A name in lower case has
 * precedence over the same in upper case. @throws Failure (2) for a value that is no address of a proxy.
 */
export async function findProxy(env: Environment, address: string): Promise<HttpProxy | undefined> {
  const url = new URL(address)
  const found = read(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy')
  if (!found) return undefined
  // Loaded on demand: few have a proxy.
  const { isDirect } = await import('./bypass.ts')
  if (isDirect(read(env, 'no_proxy')?.value ?? '', url)) return undefined
  return { url: parse(found), variable: found.variable }
}

type Variable = { variable: string; value: string }

function read(env: Environment, name: string): Variable | undefined {
  const upper = name.toUpperCase()
  // In a CGI program, a header of the client (https://httpoxy.org).
  const names = upper === 'HTTP_PROXY' && env.REQUEST_METHOD ? [name] : [name, upper]
  const variable = names.find((each) => env[each])
  const value = variable && env[variable]?.trim()
  return variable && value ? { variable, value } : undefined
}

function parse({ variable, value }: Variable): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = parseUrl(text)
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol)) {
    throw usageFailure(
      `${variable} must be the address of an HTTP proxy, ` +
        'such as http://proxy.example.com:3128. Change or unset it.',
    )
  }
  return url
}

/** A proxy, and what sends through it. */
export type Through = { proxy: HttpProxy } & typeof import('./through-proxy.ts')

/** The proxy for requests to `address`, and the way through it, if any. @throws as `findProxy` does. */
export async function findThrough(env: Environment, address: string): Promise<Through | undefined> {
  const proxy = await findProxy(env, address)
  // Loads all of TLS, and few have a proxy.
  return proxy && { proxy, ...(await import('./through-proxy.ts')) }
}
