/**
 * A call as text for a shell and for TypeScript. Values come from anywhere: each is quoted for the place
 * where it stands.
 */

type Value = string | number | boolean | undefined

export type SameCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The segments of the path, such as `['v1', 'domains', name]`. */
  path: readonly string[]
  query?: Readonly<Record<string, Value>> | undefined
  /** The JSON body. */
  body?: unknown
  /** The command; undefined if there is none. */
  svc?: SvcCommand | undefined
  /** The call of the typed client, such as `projects.get`; undefined if there is none. */
  client?: { call: `${string}.${string}.${'query' | 'mutate'}`; input: object } | undefined
}

type SvcCommand = {
  /** Such as `['domains', 'show']`. */
  words: readonly string[]
  options?: Readonly<Record<`--${string}`, Value | true>>
  /** The arguments, which are never taken for options. */
  values?: readonly string[]
}

/** Ends a line, moves the cursor of a terminal, or shows text in another order than it is run. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u

/** One word of a POSIX shell (section 2.2.2 of its language), quoted where it has to be. */
function shellWord(text: string): string {
  return /^[\w/:.,@%+-][\w/:=.,@%+-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** The `curl` command; undefined where a value can't be shown as it is. */
export function curlText({ method, path, query = {}, body }: SameCall, origin: string): string | undefined {
  const search = searchOf(query)
  const url = `${origin}/${path.map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`
  if (path.some((segment) => /^\.{0,2}$/.test(segment))) return undefined
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`]
  lines.push('  -H "Authorization: Bearer $SVC_TOKEN"')
  if (body !== undefined) lines.push(`  -H 'Content-Type: application/json'`, `  -d ${quoted(literal(body))}`)
  return lines.join(' \\\n')
}

/** The `svc` command; undefined where a value can't be shown as it is, or there is none. */
export function svcText({ svc }: SameCall): string | undefined {
  if (!svc) return undefined
  const { words, options = {}, values = [] } = svc
  const given = Object.entries(options).map(([name, value]) => {
    if (value === true) return [name]
    if (value === undefined) return []
    const text = String(value)
    return text.startsWith('-') ? [`${name}=${text}`] : [name, text]
  })
  const end = values.some((value) => value.startsWith('-')) ? ['--'] : []
  const all = ['svc', ...words, ...given.flat(), ...end, ...values]
  return all.some((word) => unprintable.test(word)) ? undefined : all.map(shellWord).join(' ')
}

/** The program with the typed client; undefined if there is none. */
export function typescriptText({ client }: SameCall, origin: string): string | undefined {
  if (!client) return undefined
  return `import { createClient } from '@svc-platform/client'

const client = createClient({ url: ${literal(origin)}, token: process.env.SVC_TOKEN })
await client.${client.call}(${literal(client.input)})`
}

function searchOf(query: Readonly<Record<string, Value>>): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** JSON in which every character can be seen. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(unprintable, 'gu'), (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
