/** Encodes messages, with name compression (RFC 1035, section 4.1.4). */

export const maxMessageBytes = 65_535

/** Room for the largest record beyond the maximum, so that the end is checked once per record. */
const room = Buffer.allocUnsafeSlow(maxMessageBytes + 70_000)

/** The highest offset of a pointer. */
const maxPointer = 0x3fff

/** By how much a message can be moved for a longer queried name. */
const maxMove = 255

export class MessageTooLarge extends Error {}

export type Writer = {
  /** The offset of the next byte. */
  at(): number
  byte(value: number): void
  short(value: number): void
  long(value: number): void
  bytes(value: Uint8Array): void
  /** Writes a name in lower case; `''` is the root. @throws RangeError for an invalid name. */
  name(name: string, isCompressed: boolean): void
  /** Calls `write`, and puts the length before its output. */
  sized(write: () => void): void
  /** @throws MessageTooLarge when the message exceeds the maximum. */
  check(): void
  setShort(at: number, value: number): void
  /** Offsets of pointers, which change when the message is moved. */
  pointers: number[]
  /** Discards what was written after `at`: names there must not be pointed to. */
  cutTo(at: number): void
  copy(): Buffer
}

/** A writer, optionally for a message that is moved later; they share one buffer. */
export function startMessage(isMoved = false): Writer {
  let end = 0
  const furthest = isMoved ? maxPointer - maxMove : maxPointer
  const known = new Map<string, number>()

  const writer: Writer = {
    at: () => end,
    byte(value) {
      room[end] = value
      end += 1
    },
    short(value) {
      end = room.writeUInt16BE(value, end)
    },
    long(value) {
      end = room.writeUInt32BE(value, end)
    },
    bytes(value) {
      room.set(value, end)
      end += value.length
    },
    name(name, isCompressed) {
      if (name.length > 253) throw new RangeError('The name is too long.')
      for (let rest = name; rest !== ''; ) {
        const pointer = isCompressed ? known.get(rest) : undefined
        if (pointer !== undefined) {
          if (isMoved) writer.pointers.push(end)
          writer.short(0xc000 | pointer)
          return
        }
        if (end <= furthest) known.set(rest, end)
        const dot = rest.indexOf('.')
        const length = dot === -1 ? rest.length : dot
        if (length === 0 || length > 63)
          throw new RangeError('The name has a label that is too long or empty.')
        room[end] = length
        room.write(rest.slice(0, length).replaceAll('\u012e', '.'), end + 1, length, 'latin1')
        end += 1 + length
        rest = rest.slice(length + 1)
      }
      writer.byte(0)
    },
    sized(write) {
      const start = end
      end += 2
      write()
      writer.check()
      room.writeUInt16BE(end - start - 2, start)
    },
    check() {
      if (end > maxMessageBytes) throw new MessageTooLarge('The message is too large.')
    },
    setShort(at, value) {
      room.writeUInt16BE(value, at)
    },
    pointers: [],
    cutTo(at) {
      end = at
      writer.pointers = writer.pointers.filter((pointer) => pointer < at)
    },
    copy: () => Buffer.from(room.subarray(0, end)),
  }
  return writer
}
