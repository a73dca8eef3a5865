/** Finds an object in the index of a pack (gitformat-pack(5), version 2). */
import { readUpTo } from '../../stores/data-dir/read-bounded.ts'

const magic = 0xff744f63
const fanoutStart = 8
const namesStart = fanoutStart + 256 * 4

/** Offsets that don't fit in 31 bits stand in a table of their own. */
const isLarge = 0x80000000

/**
 * Where the object is in the pack whose index is open as `fd`; undefined if it isn't there, or the index is
 * of an older version.
 */
export function findInPack(fd: number, id: Buffer): number | undefined {
  const header = readUpTo(fd, namesStart)
  if (header.length < namesStart || header.readUInt32BE(0) !== magic || header.readUInt32BE(4) !== 2)
    return undefined
  const countUpTo = (first: number) => (first < 0 ? 0 : header.readUInt32BE(fanoutStart + first * 4))
  const first = id.readUInt8(0)
  const total = countUpTo(255)
  const at = search(fd, id, countUpTo(first - 1), countUpTo(first))
  if (at === undefined) return undefined
  const offsetsStart = namesStart + total * (id.length + 4)
  const offset = readUpTo(fd, 4, offsetsStart + at * 4).readUInt32BE(0)
  if (offset < isLarge) return offset
  return Number(readUpTo(fd, 8, offsetsStart + total * 4 + (offset - isLarge) * 8).readBigUInt64BE(0))
}

/** The place of `id` among the sorted names from `low` up to, but without, `high`. */
function search(fd: number, id: Buffer, low: number, high: number): number | undefined {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const name = readUpTo(fd, id.length, namesStart + middle * id.length)
    const order = name.compare(id)
    if (order === 0) return middle
    if (order < 0) from = middle + 1
    else to = middle
  }
  return undefined
}
