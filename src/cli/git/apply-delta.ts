/** Makes an object from another and the difference to it (gitformat-pack(5), "Deltified representation"). */
import { maxObjectBytes } from './object-bounds.ts'

/** @throws RangeError for a difference that is damaged, or makes too much. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const source = readSize(delta, 0)
  const target = readSize(delta, source.end)
  if (source.size !== base.length || target.size > maxObjectBytes)
    throw new RangeError('not a delta of this object')
  const parts: Buffer[] = []
  let total = 0
  for (let at = target.end; at < delta.length; ) {
    const { part, end } = readPart(base, delta, at)
    parts.push(part)
    total += part.length
    if (total > target.size) break
    at = end
  }
  if (total !== target.size) throw new RangeError('a damaged delta')
  return Buffer.concat(parts)
}

/** A piece of the base, or bytes that stand in the delta itself. */
function readPart(base: Buffer, delta: Buffer, start: number): { part: Buffer; end: number } {
  const instruction = delta.readUInt8(start)
  if ((instruction & 0x80) === 0) {
    const end = start + 1 + instruction
    if (instruction === 0 || end > delta.length) throw new RangeError('a damaged delta')
    return { part: delta.subarray(start + 1, end), end }
  }
  let end = start + 1
  const [offset = 0, size = 0] = [
    [0, 1, 2, 3],
    [4, 5, 6],
  ].map((bits) => {
    const given = bits.map((bit) => ((instruction >> bit) & 1 ? delta.readUInt8(end++) : 0))
    return given.reduceRight((value, byte) => value * 256 + byte, 0)
  })
  const part = base.subarray(offset, offset + (size || 0x10000))
  if (part.length === 0) throw new RangeError('a damaged delta')
  return { part, end }
}

function readSize(delta: Buffer, start: number): { size: number; end: number } {
  let size = 0
  for (let end = start, factor = 1; ; factor *= 128) {
    const byte = delta.readUInt8(end)
    end += 1
    size += (byte & 0x7f) * factor
    if (byte < 0x80 || size > maxObjectBytes) return { size, end }
  }
}
