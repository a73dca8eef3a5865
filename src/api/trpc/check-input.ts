/**
 * Refuses text that can't be stored, and more lists, fields and levels than any input of the API has, before
 * schemas describe each mistake.
 */
import { AppError } from '../../lib/errors.ts'

/** The levels of lists and objects: more than any input of the API needs. */
export const maxDepth = 32

/** More than any object of the API may have. */
export const maxFields = 1_000

/**
 * A list slightly longer than the longest list of files reaches its schema, whose message tells how many
 * files there are.
 */
const itemsBeyond = 1_000

/** The longest list of an input, where a deployment has at most `maxFiles`. */
export function maxItemsFor(maxFiles: number): number {
  return maxFiles + itemsBeyond
}

/** The error for an input that has too much at `path`, or that can't be stored. */
export function unacceptable(path: string, message: string): AppError {
  return new AppError('invalid_input', path === '' ? `The input ${message}.` : `${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

export const tooDeep = `is nested more than ${maxDepth} levels deep`
export const tooManyFields = `must have at most ${maxFields} fields`
export const tooManyItems = (maxItems: number): string => `must have at most ${maxItems} items`

type Place = { value: unknown; path: string; depth: number }

/**
 * Checks every string and key in `input`: no NUL, which PostgreSQL can't store, and no lone surrogates, which
 * have no UTF-8 form (RFC 8259, section 8.2). No list may have more than `maxItems`, and no object more than
 * 1,000 fields: a schema writes down what is wrong with each of millions, which takes many seconds.
 * @throws AppError `invalid_input` naming the place.
 */
export function checkInput(input: unknown, maxItems: number): void {
  if (!isAcceptable(input, maxItems, 0)) findPlace(input, maxItems)
}

/** Without the places, which take most of the time to write down and hardly anybody asks for. */
function isAcceptable(value: unknown, maxItems: number, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === maxDepth) return false
  if (Array.isArray(value)) {
    return value.length <= maxItems && value.every((child) => isAcceptable(child, maxItems, depth + 1))
  }
  const fields = Object.entries(value)
  return (
    fields.length <= maxFields &&
    fields.every(
      ([key, child]) =>
        key !== '__proto__' && isStorableText(key) && isAcceptable(child, maxItems, depth + 1),
    )
  )
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function findPlace(input: unknown, maxItems: number): void {
  const rest: Place[] = [{ value: input, path: '', depth: 0 }]
  for (let place = rest.pop(); place; place = rest.pop()) {
    const { value, path, depth } = place
    if (typeof value === 'string') checkText(value, path)
    else if (typeof value === 'object' && value !== null) {
      if (depth === maxDepth) throw unacceptable(path, tooDeep)
      if (Array.isArray(value) && value.length > maxItems) {
        throw unacceptable(path, tooManyItems(maxItems))
      }
      const fields = Object.entries(value)
      if (!Array.isArray(value) && fields.length > maxFields) {
        throw unacceptable(path, tooManyFields)
      }
      for (const [key, child] of fields) {
        const childPath = path === '' ? key : `${path}.${key}`
        checkText(key, path)
        // JSON.parse makes it an own property, which copying would turn into a prototype.
        if (key === '__proto__') throw unacceptable(path, 'must not have the key __proto__')
        rest.push({ value: child, path: childPath, depth: depth + 1 })
      }
    }
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\u0000')) throw unacceptable(path, 'must not contain U+0000')
  if (!text.isWellFormed()) throw unacceptable(path, 'must not contain half of a surrogate pair')
}
