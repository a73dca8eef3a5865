/**
 * Looks at the shape of JSON before it is parsed: to parse millions of keys, or of levels, takes seconds at a
 * stretch.
 */
import {
  maxDepth,
  maxFields,
  tooDeep,
  tooManyFields,
  tooManyItems,
  unacceptable,
} from '../../trpc/check-input.ts'

/** A batch of calls is one level around their inputs. */
const maxLevels = maxDepth + 1

/** Items and fields in all, by the longest list: a file is an item and up to four fields. */
const valuesPerItem = 5

/**
 * A field beyond so many of its object counts as several: the parser takes that much longer for objects with
 * many keys.
 */
const usualFields = 8
const weightBeyond = 4

/** The bytes between two turns of others, at most. */
const turnBytes = 64 * 1024

/**
 * Within strings, most of which are shorter, to look for the end byte by byte is faster than a native call.
 */
const shortBytes = 64

/** The longest key that is written out in the path of an issue. */
const maxKeyLength = 100

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** A list or an object that is open. */
type Level = {
  isList: boolean
  /** The commas so far: the position of the present item. */
  commas: number
  /** Where the key of the present field begins and ends, quotes included; -1 while there is none. */
  keyStart: number
  keyEnd: number
}

/**
 * Counts what `bytes` hold, and yields where others may have their turn. Whether they are JSON is left to the
 * parser, which reads no further than to the first mistake.
 * @throws AppError `invalid_input` naming the place that has too much.
 */
export function* scanJson(bytes: Buffer, maxItems: number): Generator<void, void> {
  const levels: Level[] = []
  const maxValues = valuesPerItem * maxItems
  let level: Level | undefined
  let values = 0
  let nextTurn = turnBytes
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) {
      const end = endOfString(bytes, at)
      if (level?.keyStart === -1) {
        level.keyStart = at
        level.keyEnd = end
      }
      at = end - 1
    } else if (byte === comma && level) {
      level.commas += 1
      level.keyStart = -1
      values += level.isList || level.commas < usualFields ? 1 : weightBeyond
      if (level.commas >= (level.isList ? maxItems : maxFields)) {
        throw unacceptable(
          pathOf(levels.slice(0, -1), bytes),
          level.isList ? tooManyItems(maxItems) : tooManyFields,
        )
      }
    } else if (byte === openList || byte === openObject) {
      if (levels.length === maxLevels) throw unacceptable(pathOf(levels, bytes), tooDeep)
      level = { isList: byte === openList, commas: 0, keyStart: -1, keyEnd: -1 }
      levels.push(level)
      values += 1
    } else if (byte === closeList || byte === closeObject) {
      levels.pop()
      level = levels.at(-1)
    }
    if (values > maxValues)
      throw unacceptable('', `must have fewer items and fields in all than ${maxValues}`)
    if (at < nextTurn) continue
    nextTurn = at + turnBytes
    yield
  }
}

/** The position behind the closing quote of the string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length) {
    const near = Math.min(at + shortBytes, bytes.length)
    for (; at < near; at += 1) {
      if (bytes[at] === quote) return at + 1
      if (bytes[at] === backslash) at += 1
    }
    const end = bytes.indexOf(quote, at)
    if (end === -1) return bytes.length
    if (!isEscaped(bytes, at, end)) return end + 1
    at = end + 1
  }
  return bytes.length
}

/** Whether an odd number of backslashes stands before `end`, none of them before `from`. */
function isEscaped(bytes: Buffer, from: number, end: number): boolean {
  let start = end
  while (start > from && bytes[start - 1] === backslash) start -= 1
  return (end - start) % 2 === 1
}

function pathOf(levels: Level[], bytes: Buffer): string {
  return levels
    .map(({ isList, commas, keyStart, keyEnd }) =>
      isList ? commas : bytes.toString('utf8', keyStart + 1, Math.min(keyEnd - 1, keyStart + maxKeyLength)),
    )
    .join('.')
}
