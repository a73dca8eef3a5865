/** An HTTP proxy. */

/** Where it is, possibly with a user and a password, and the variable that says so. */
export type HttpProxy = { url: URL; variable: string }

/** The proxy for people, without its password: `http://proxy.example.com:3128 (HTTPS_PROXY)`. */
export function nameOf({ url, variable }: HttpProxy): string {
  return `${url.origin} (${variable})`
}
