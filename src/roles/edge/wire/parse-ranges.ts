/** Parses byte ranges (RFC 9110, section 14). */

/** The first and the last byte, inclusive. */
export type ByteRange = { start: number; end: number }

/**
 * More ranges than this, after merging, get the whole file (section 14.2).
 */
export const maxParts = 16

const rangeSpec = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The ranges of a file of `size` bytes in `field`, in order, merged if they overlap or touch; empty if none
 * can be satisfied. Undefined if the field is ignored: malformed, another unit, too many ranges, or an empty
 * file (which has no ranges).
 */
export function parseRanges(field: string, size: number): ByteRange[] | undefined {
  const specs = /^bytes=(.*)$/i.exec(field)?.[1]?.split(',')
  if (specs === undefined || size === 0) return undefined
  const ranges: ByteRange[] = []
  let given = 0
  for (const spec of specs) {
    const text = spec.replace(/^[ \t]+|[ \t]+$/g, '')
    if (text === '') continue
    const range = parseSpec(text, size)
    if (range === undefined) return undefined
    given += 1
    if (range !== 'unsatisfiable') ranges.push(range)
  }
  if (given === 0) return undefined
  const merged = merge(ranges)
  return merged.length > maxParts ? undefined : merged
}

/** Numbers past 2^53 lose precision, but no file is that long. */
function parseSpec(text: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [match, first, last, suffix] = rangeSpec.exec(text) ?? []
  if (match === undefined) return undefined
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last ? Number(last) : Number.POSITIVE_INFINITY
  if (end < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) }
}

function merge(ranges: ByteRange[]): ByteRange[] {
  const ascending = ranges
    .map((range, position) => ({ ...range, position }))
    .sort((a, b) => a.start - b.start)
  const merged: typeof ascending = []
  for (const range of ascending) {
    const previous = merged.at(-1)
    if (previous && range.start <= previous.end + 1) {
      previous.end = Math.max(previous.end, range.end)
      previous.position = Math.min(previous.position, range.position)
    } else merged.push(range)
  }
  return merged.sort((a, b) => a.position - b.position).map(({ start, end }) => ({ start, end }))
}
