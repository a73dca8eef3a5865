/** How much an input may hold beside its bytes, and the error for more. */
import { AppError } from '../errors.ts'

/** The levels of lists and objects: more than any input of the API needs. */
export const maxDepth = 32

/** More than any object of the API may have. */
export const maxFields = 1_000

/** No list of an input may be longer than that of a deployment's files: of a few more that says by itself how many there are. */
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
