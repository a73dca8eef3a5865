/**
 * Histograms of latencies, which can be merged: percentiles of any period come from the sum of its
 * histograms.
 *
 * They are DDSketches (Masson, Rim, Lee: DDSketch, VLDB 2019) of `@datadog/sketches-js`: bucket bounds grow
 * by a constant factor, which bounds the relative error of percentiles, however they were merged. Counting
 * takes 25 ns (hdr-histogram-js: 100 ns, and 13 kB or more in memory), and it has types and no dependencies.
 * Its own serialization needs protobufjs and includes empty buckets, so this module has another.
 */
import { DDSketch } from '@datadog/sketches-js'

/** A histogram; each bucket has a key, greater for longer latencies. */
export type Latencies = DDSketch['store']

/** The relative error: together with the rounding of results, below 1%. */
const relativeAccuracy = 0.0075

const { mapping } = new DDSketch({ relativeAccuracy })

const minMs = 0.001
const maxMs = 1_000_000_000

/** The maximum number of buckets. */
const keys = { min: mapping.key(minMs), max: mapping.key(maxMs) }

export function createLatencies(): Latencies {
  return new DDSketch({ relativeAccuracy }).store
}

/** Empties it, keeping its memory, which is much faster than allocating another. */
export function clearLatencies(latencies: Latencies): void {
  latencies.bins.fill(0)
  latencies.count = 0
}

/** The key of the bucket for a latency in milliseconds. */
export function latencyKey(ms: number): number {
  return mapping.key(Math.min(Math.max(ms, minMs), maxMs))
}

/** The latency in milliseconds of this percentile (nearest rank); null if there is none. */
export function percentile(latencies: Latencies, percent: number): number | null {
  if (latencies.count === 0) return null
  const rank = Math.max(1, Math.ceil((latencies.count * percent) / 100))
  return mapping.value(latencies.keyAtRank(rank - 1))
}

/** Serializes the nonempty buckets: the difference from the previous key, and the count, of each. */
export function formatLatencies({ bins, offset }: Latencies): string {
  const bytes: number[] = []
  let before = 0
  for (const [index, count] of bins.entries()) {
    if (count === 0) continue
    const key = index + offset
    // Only the first may be negative.
    pushNumber(bytes, bytes.length === 0 ? zigzag(key) : key - before)
    pushNumber(bytes, count)
    before = key
  }
  return Buffer.from(bytes).toString('base64')
}

/** Adds the histogram in `text` to `latencies`. */
export function addFormatted(latencies: Latencies, text: string): void {
  // Reserves room for any key, once.
  latencies.add(keys.min, 0)
  latencies.add(keys.max, 0)
  const { bins, offset } = latencies
  const cursor = { bytes: Buffer.from(text, 'base64'), at: 0 }
  let key = 0
  while (cursor.at < cursor.bytes.length) {
    key = cursor.at === 0 ? unzigzag(readNumber(cursor)) : key + readNumber(cursor)
    const count = readNumber(cursor)
    bins[key - offset] = (bins[key - offset] ?? 0) + count
    latencies.count += count
  }
}

/**
 * Variable-length integers: seven bits per byte, the lowest first, the eighth set if more follow; counts may
 * exceed 32 bits.
 */
function pushNumber(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
}

/** Reads a number of `pushNumber`; moves the cursor behind it. */
function readNumber(cursor: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0
  for (let unit = 1; ; unit *= 0x80) {
    const byte = cursor.bytes[cursor.at] ?? 0
    cursor.at += 1
    value += (byte & 0x7f) * unit
    if (byte < 0x80) return value
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
