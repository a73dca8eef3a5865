/** Recognizes file names with a content hash; in doubt no, since a false positive is stale for a year. */

/** Identifiers such as these stay the same while their content changes. */
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Extensions after a hash, as in `main.3f2a1b4c.chunk.js.map`. */
const maxExtensions = 3

/** Whether the last segment of `path` contains a hash, set off by `.`, `-` or `_`, before its extensions. */
export function isHashedName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const parts = name.split('.')
  const extension = parts.at(-1)?.toLowerCase()
  if (parts.length < 2 || extension === 'html' || extension === 'htm' || uuid.test(name)) return false
  for (let index = Math.max(0, parts.length - 1 - maxExtensions); index < parts.length - 1; index += 1) {
    const part = parts[index] ?? ''
    const separator = Math.max(part.lastIndexOf('-'), part.lastIndexOf('_'))
    // A name that is only a hash is as often an identifier.
    if ((index > 0 || separator >= 0) && isHash(part.slice(separator + 1))) return true
  }
  return false
}

function isHash(token: string): boolean {
  return isHexHash(token) || isBase32Hash(token) || isBase64Hash(token)
}

/** Alternating runs of letters and digits. */
function countRuns(token: string): number {
  return token.match(/\d+|\D+/g)?.length ?? 0
}

/** As webpack, Parcel and Next.js write them. Short ones must not be words (`face2face`) or dates. */
function isHexHash(token: string): boolean {
  if (!/^[0-9a-f]{8,}$/.test(token) || countRuns(token) < 3) return false
  return token.length >= 16 || !/[a-f]{4}|(?:19|20)\d{6}/.test(token)
}

/** As esbuild writes them; with fewer runs there are names such as `WEB3AUTH`. */
function isBase32Hash(token: string): boolean {
  return /^[A-Z2-7]{8}$/.test(token) && countRuns(token) >= 4
}

/**
 * As Vite and Rollup write them: eight characters of base64url, of which those with `-` or `_` inside can't be
 * distinguished from two words. Counted are pieces that look like one word: `iPhone15` has three, `Vue3Test` too.
 */
function isBase64Hash(token: string): boolean {
  if (!/^[A-Za-z0-9]{8}$/.test(token) || !/\d/.test(token)) return false
  const pieces = token.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)?.length ?? 0
  if (pieces < 4 || !/[a-z]/.test(token) || !/[A-Z]/.test(token)) return false
  return pieces >= 5 || !/[A-Z][a-z]{2}|[a-z]{3}/.test(token)
}
