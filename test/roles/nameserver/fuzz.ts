/** Packets as attackers send them: the same ones for the same seed. */

/** Whole numbers below a bound, from a 32-bit seed (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * A packet: rarely noise alone, mostly one of `good` with some bytes changed, cut off, duplicated or
 * appended.
 */
export function badPacket(good: Buffer[], below: (bound: number) => number): Buffer {
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)))
  const kind = below(10)
  if (kind === 0) return noise(below(80))
  if (kind === 1) {
    // A valid header with noise behind it.
    return Buffer.concat([
      Buffer.from([below(256), 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, below(3)]),
      noise(below(60)),
    ])
  }
  const packet = Buffer.from(good[below(good.length)] ?? Buffer.alloc(12))
  for (let count = below(6); count > 0; count -= 1) packet[below(packet.length)] = below(256)
  if (kind === 2) return packet.subarray(0, below(packet.length + 1))
  if (kind === 3) return Buffer.concat([packet, noise(below(40))])
  if (kind === 4) return Buffer.concat([packet.subarray(0, below(packet.length)), packet])
  return packet
}
