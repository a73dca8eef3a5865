/** What RE2 and its relatives (Go, Rust, pydantic, OpenAI) don't read of patterns that JavaScript does. */

const hexadecimal = /^x[\da-fA-F]{2}/

/** Escapes that all of them have, beside that of a punctuation mark. */
const known = /^[dDsSwWtnrfv]/

/** General categories of one or two letters; RE2 has no other properties but scripts. */
const category = /^[pP]\{\^?[CLMNPSZ][a-z]?\}/

/** The most that a count may be. */
const maxCount = 1_000

/**
 * The first construct that they don't know, with its offset: lookaround, backreferences, possessive
 * quantifiers, atomic groups, named groups, Unicode properties other than categories, and what they read
 * otherwise in classes. Undefined where all of them read the pattern.
 */
export function re2Problem(pattern: string): string | undefined {
  let isInClass = false
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    const found = isInClass ? partOfClass(rest) : part(rest)
    if (found === undefined) return `${rest.slice(0, 3)} at ${at}`
    if (rest.startsWith('[')) isInClass = true
    else if (rest.startsWith(']')) isInClass = false
    at += found.length
  }
  return undefined
}

/** The text of what the rest of a pattern begins with; undefined if they don't know it. */
function part(rest: string): string | undefined {
  if (rest.startsWith('\\')) return escaped(rest, /^[bB]/)
  // In JavaScript these are any character and none.
  if (/^\[\^?\]/.test(rest)) return undefined
  if (rest.startsWith('[')) return /^\[\^?/.exec(rest)?.[0]
  if (rest.startsWith('(?')) return /^\(\?[ims]*:/.exec(rest)?.[0]
  const [quantifier, , least = '0', most = '0'] = /^([*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(rest) ?? []
  // Rust takes a brace that is no quantifier's for an error.
  if (quantifier === undefined) return rest.startsWith('{') ? undefined : rest.slice(0, 1)
  const isPossessive = rest.slice(quantifier.length).startsWith('+')
  return isPossessive || Math.max(Number(least), Number(most)) > maxCount ? undefined : quantifier
}

function partOfClass(rest: string): string | undefined {
  if (rest.startsWith('\\')) {
    const found = escaped(rest)
    // A range from a class, in JavaScript the hyphen itself.
    const isRange =
      found !== undefined && /^.[dDsSwWpP]/.test(found) && /^-[^\]]/.test(rest.slice(found.length))
    return isRange ? undefined : found
  }
  // Rust has classes within classes, and operations on them.
  return /^(?:\[|&&|--|~~)/.test(rest) ? undefined : rest.slice(0, 1)
}

function escaped(rest: string, more?: RegExp): string | undefined {
  const [, following = ''] = /^\\(.*)$/s.exec(rest) ?? []
  const found = [hexadecimal, category, known, /^[!-/:-@[-`{-~]/, ...(more ? [more] : [])]
    .map((each) => each.exec(following)?.[0])
    .find((each) => each !== undefined)
  return found === undefined ? undefined : `\\${found}`
}

/** Values, in which nothing is a pattern. */
const values = ['const', 'default', 'enum', 'example', 'examples']

/** Fields with entries of any name, such as `default`. */
const maps = ['$defs', 'definitions', 'dependentSchemas', 'headers', 'patternProperties', 'properties']
const documentMaps = ['paths', 'responses', 'schemas', 'webhooks']

/** The patterns of a JSON Schema or of a document of them, each with its place. */
export function patternsIn(schema: unknown, place = '', isMap = false): [place: string, pattern: string][] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => patternsIn(each, `${place}/${index}`))
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]): [string, string][] => {
    const below = `${place}/${key}`
    if (isMap) return patternsIn(value, below)
    if (values.includes(key)) return []
    if (key === 'pattern' && typeof value === 'string') return [[below, value]]
    const names = key === 'patternProperties' ? Object.keys(Object(value)) : []
    const found = patternsIn(value, below, maps.includes(key) || documentMaps.includes(key))
    return [...names.map((name): [string, string] => [below, name]), ...found]
  })
}
