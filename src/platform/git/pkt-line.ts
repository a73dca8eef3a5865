/** Packets of git's protocol (gitprotocol-common, "pkt-line format"; gitprotocol-pack, "side-band-64k"). */

/** Ends a section. */
export const flush = Buffer.from('0000')

/** The longest packet, with its length. */
const maxPacketBytes = 65_520

const lengthBytes = 4

/** A packet with this content. */
export function packet(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  const length = (bytes.length + lengthBytes).toString(16).padStart(lengthBytes, '0')
  return Buffer.concat([Buffer.from(length), bytes])
}

/** The length of the packet at the beginning of these bytes, with its digits. */
export function lengthOf(bytes: Buffer): number {
  const digits = bytes.toString('latin1', 0, lengthBytes)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
}

/** The bands of a side band: the answer of the program, progress for people, or why everything ends. */
export const bands = { data: 1, progress: 2, error: 3 } as const

/** The packets of a side band that carry these bytes. */
export function onBand(band: (typeof bands)[keyof typeof bands], bytes: Buffer): Buffer {
  const most = maxPacketBytes - lengthBytes - 1
  const packets: Buffer[] = []
  for (let at = 0; at < bytes.length; at += most)
    packets.push(packet(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + most)])))
  return Buffer.concat(packets)
}

export type PacketReader = {
  /** The next packet; `flush` at the end of a section, undefined at the end of the stream. */
  next(): Promise<Buffer | 'flush' | undefined>
  /** The bytes after the last packet that was read. */
  rest(): AsyncGenerator<Buffer>
}

/** Reads packets from a stream of bytes. `next` throws an Error for what is no packet. */
export function readPackets(source: AsyncIterable<Buffer>): PacketReader {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  /** Whether so many bytes are held now. */
  async function hold(count: number): Promise<boolean> {
    while (held.length < count) {
      const { done, value } = await chunks.next()
      if (done) return false
      held = held.length === 0 ? value : Buffer.concat([held, value])
    }
    return true
  }

  function take(count: number): Buffer {
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }

  return {
    async next() {
      if (!(await hold(lengthBytes))) {
        if (held.length > 0) throw new Error('A packet was cut off.')
        return undefined
      }
      const length = lengthOf(take(lengthBytes))
      if (length === 0) return 'flush'
      if (!(length >= lengthBytes && length <= maxPacketBytes))
        throw new Error('A packet has no valid length.')
      if (!(await hold(length - lengthBytes))) throw new Error('A packet was cut off.')
      return take(length - lengthBytes)
    },
    async *rest() {
      if (held.length > 0) yield take(held.length)
      for (;;) {
        const { done, value } = await chunks.next()
        if (done) return
        yield value
      }
    },
  }
}
