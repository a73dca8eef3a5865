/** Finds in a file's name what has the form of a hash, as bundlers write it. */
import { isPlainlyWords, readsAsWords } from './reads-as-words.ts'

/**
 * How likely a part of a name is a hash: `sure` unless it was made to mislead; `possible`, but it may as well
 * be a number or an identifier; `unlikely`, since it reads as words, if only just.
 */
type Likelihood = 'sure' | 'possible' | 'unlikely'

/**
 * A part of a name that may be a hash. `style` is its separator and form, such as `-base64` or `.hex8`; the
 * separator is empty if the name begins with it.
 */
export type FoundHash = { style: string; likelihood: Likelihood }

type Form = { form: string; likelihood: Likelihood }

/** Identifiers such as these stay the same while their content changes. */
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Endings after a hash, as in `main.3f2a1b4c.chunk.js.map` and `main.3f2a1b4c.js.LICENSE.txt`. */
const maxEndings = 3

/** The length of base64url that Vite, Rollup and what is built on them cut from a digest. */
const base64Length = 8

/** By Turbopack; the first is a digit, since 13 of 38 characters hold more than 64 bits. */
const turbopack = /(?:^|[-_])(\d[0-9a-z_~-]{12})$/

/**
 * Digits of webpack (8, 16, 20), Parcel (8), Rsbuild (10), Next.js (16), Django (12), MD5, SHA-1, SHA-256; an
 * ObjectId has 24.
 */
const hexLengths: ReadonlySet<number> = new Set([8, 10, 12, 16, 20, 32, 40, 64])

/** Spelled with the digits of hex, and so found in names of colours. */
const hexWords = /dead|beef|fade|face|cafe|babe|feed|decade|deed|added|bead|deaf/

/**
 * Parts that may be a hash in the last segment of a path, set off by `.`, `-`, `_` or `~`, before its
 * endings.
 */
export function findHashes(name: string): FoundHash[] {
  const parts = name.split('.')
  if (parts.length < 2 || uuid.test(name)) return []
  const found: FoundHash[] = []
  for (let index = Math.max(0, parts.length - 1 - maxEndings); index < parts.length - 1; index += 1) {
    const part = parts[index] ?? ''
    const separator = index === 0 ? '' : '.'
    for (const { length, ...form } of formsOf(part)) {
      const at = part.length - length
      const style = (at === 0 ? separator : part.charAt(at - 1)) + form.form
      found.push({ style, likelihood: form.likelihood })
    }
  }
  return found
}

/** The forms of the end of `part`, with its length; the first is the most specific one. */
function formsOf(part: string): (Form & { length: number })[] {
  const tail = part.slice(Math.max(...['-', '_', '~'].map((each) => part.lastIndexOf(each))) + 1)
  const single = hexForm(tail) ?? base32Form(tail)
  if (single) return [{ ...single, length: tail.length }]
  const cut = part.length - base64Length
  const isSetOff = cut === 0 || (cut > 0 && /[-_]/.test(part.charAt(cut - 1)))
  const base64 = isSetOff ? base64Form(part.slice(cut)) : undefined
  if (base64) return [{ ...base64, length: base64Length }]
  const [, base38] = turbopack.exec(part) ?? []
  return base38 === undefined ? [] : [{ form: 'base38', likelihood: 'possible', length: base38.length }]
}

function hexForm(token: string): Form | undefined {
  const { length } = token
  if (!hexLengths.has(length) || !/^[0-9a-f]+$/.test(token)) return undefined
  const form = `hex${length}`
  if (!/[a-f]/.test(token)) return isDate(token) ? undefined : { form, likelihood: 'possible' }
  if (!/\d/.test(token)) return isPlainlyWords(token) ? undefined : { form, likelihood: 'unlikely' }
  if (length === 8 && hexWords.test(token)) return { form, likelihood: 'unlikely' }
  return { form, likelihood: length === 12 && countRuns(token) < 4 ? 'possible' : 'sure' }
}

/** As `20260131` is. */
function isDate(token: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4})?$/.test(token)
}

/** Alternating runs of letters and digits. */
function countRuns(token: string): number {
  return token.match(/\d+|\D+/g)?.length ?? 0
}

/** As esbuild writes them. */
function base32Form(token: string): Form | undefined {
  if (!/^[A-Z2-7]{8}$/.test(token) || !/[A-Z]/.test(token)) return undefined
  return readable('base32', token, 'sure')
}

/** Capitals and small letters together are sure. Bun has only small letters and digits, of base36. */
function base64Form(token: string): Form | undefined {
  if (!/^[\w-]{8}$/.test(token) || !/[a-z]/i.test(token)) return undefined
  if (!/[a-z]/.test(token)) return readable('capitals', token, 'possible')
  if (!/[A-Z]/.test(token)) return readable('base36', token, /\d/.test(token) ? 'possible' : 'unlikely')
  return readable('base64', token, 'sure')
}

function readable(form: string, token: string, unread: Likelihood): Form | undefined {
  if (isPlainlyWords(token)) return undefined
  return { form, likelihood: readsAsWords(token) ? 'unlikely' : unread }
}
