/** Byte ranges (RFC 9110, section 14): which parts of a file a `Range` field asks for. */

/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number }

/**
 * More parts than this, after overlapping ones became one, are answered with the whole file (section 14.2).
 */
export const maxParts = 16

const rangeSpec = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The ranges of a file of `size` bytes that `field` asks for, merged where they overlap or touch, in the
 * order asked for; empty when none can be satisfied. Undefined when the field is to be ignored: malformed,
 * another unit, too many parts, or an empty file (of which there is no part).
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

/** Numbers of any length are fine: past 2^53 they lose digits, but no file is that long. */
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
  const ascending = ranges.map((range, asked) => ({ ...range, asked })).sort((a, b) => a.start - b.start)
  const merged: typeof ascending = []
  for (const range of ascending) {
    const previous = merged.at(-1)
    if (previous && range.start <= previous.end + 1) {
      previous.end = Math.max(previous.end, range.end)
      previous.asked = Math.min(previous.asked, range.asked)
    } else merged.push(range)
  }
  return merged.sort((a, b) => a.asked - b.asked).map(({ start, end }) => ({ start, end }))
}
