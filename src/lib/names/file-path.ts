/** Valid paths of files. */
import { hasEndlessMarks, toNfc } from './nfc.ts'

/** The longest path. */
export const maxPathBytes = 1_024

/** Variants that most file systems treat as one name. */
const maxSegmentBytes = 255

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are meant.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/

/** A path that needs no further checks; most are. */
const plain = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/** The problem of a path, as a predicate (`must not …`), or undefined if it is valid. */
export function pathProblem(path: string): string | undefined {
  if (path.length <= maxSegmentBytes && plain.test(path)) return undefined
  if (path === '') return 'must not be empty'
  if (Buffer.byteLength(path) > maxPathBytes) return `must have at most ${maxPathBytes} bytes`
  if (path.startsWith('/')) return 'must be relative: remove the leading /'
  if (!path.isWellFormed()) return 'must be well-formed Unicode'
  if (controlCharacters.test(path)) return 'must not contain control characters'
  if (path.includes('\\')) return 'must use / between its segments, not a backslash'
  if (/%2f|%5c/i.test(path)) return 'must not contain an encoded slash'
  if (hasEndlessMarks(path)) return 'must have at most 30 marks on a character'
  if (path !== toNfc(path)) return 'must be in Unicode normalization form C (NFC)'
  for (const segment of path.split('/')) {
    if (segment === '') return 'must not contain an empty segment'
    if (segment === '.' || segment === '..') return `must not contain a ${segment} segment`
    if (Buffer.byteLength(segment) > maxSegmentBytes)
      return `must have segments of at most ${maxSegmentBytes} bytes`
  }
  return undefined
}
