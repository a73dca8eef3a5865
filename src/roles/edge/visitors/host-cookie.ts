/** Cookies that belong to one host alone, and that no script there can read (RFC 6265bis). */

/** Sites on sibling hosts may set cookies of any name for this host: those must not shadow ours. */
const maxTried = 10

/** With the prefix, browsers take such a cookie from this host alone, but over TLS only (section 4.1.3.2). */
const hostPrefix = '__Host-'

/** The name by which a cookie is set and looked for. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `${hostPrefix}${name}` : name
}

/** A `Set-Cookie` value. */
export function setCookie(
  name: string,
  value: string,
  { isSecure, maxAgeS }: { isSecure: boolean; maxAgeS: number },
): string {
  const attributes = `Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Lax`
  return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`
}

/** The first values of this name in a `Cookie` header. */
export function cookiesNamed(name: string, field: string): string[] {
  return field
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .slice(0, maxTried)
}
