/**
 * Histograms of latencies, which can be added up: percentiles of any time come from the sum of its histograms.
 *
 * They are DDSketches (Masson, Rim, Lee: DDSketch, VLDB 2019) of `@datadog/sketches-js`: buckets whose bounds grow by a
 * constant factor, so that whatever is read off them is off by no more than a share of itself, however they were merged.
 * Counting one takes 25 ns (hdr-histogram-js: 100 ns, and 13 kB or more in memory), it has types and no dependencies.
 * Its own serialisation needs protobufjs and holds empty buckets too, so that here is another.
 */
import { DDSketch } from '@datadog/sketches-js'

/** A histogram; each bucket has a key, the higher the longer. */
export type Latencies = DDSketch['store']

/** How far a value may be off, as a share of it: together with the rounding of what is shown, below a hundredth. */
const relativeAccuracy = 0.0075

const { mapping } = new DDSketch({ relativeAccuracy })

const minMs = 0.001
const maxMs = 1_000_000_000

export function createLatencies(): Latencies {
  return new DDSketch({ relativeAccuracy }).store
}

/** The key of the bucket for a latency in milliseconds. */
export function latencyKey(ms: number): number {
  return mapping.key(Math.min(Math.max(ms, minMs), maxMs))
}

/** The latency in milliseconds that so many percent don't exceed (the nearest rank); null where there is none. */
export function percentile(latencies: Latencies, percent: number): number | null {
  if (latencies.count === 0) return null
  const rank = Math.max(1, Math.ceil((latencies.count * percent) / 100))
  return mapping.value(latencies.keyAtRank(rank - 1))
}

/** Writes the buckets that aren't empty as text: the distance from the key before, and the count, of each. */
export function formatLatencies({ bins, offset }: Latencies): string {
  const bytes: number[] = []
  let before = 0
  for (const [index, count] of bins.entries()) {
    if (count === 0) continue
    const key = index + offset
    // Only the first may be below zero.
    pushNumber(bytes, bytes.length === 0 ? zigzag(key) : key - before)
    pushNumber(bytes, count)
    before = key
  }
  return Buffer.from(bytes).toString('base64')
}

/** Adds to `latencies` what `formatLatencies` wrote. */
export function addFormatted(latencies: Latencies, text: string): void {
  const numbers = readNumbers(Buffer.from(text, 'base64'))
  if (numbers.length === 0) return
  let key = unzigzag(numbers[0] ?? 0)
  // Makes room for all of them at once: thousands of histograms may be added up for one answer.
  latencies.add(key, 0)
  latencies.add(lastKey(key, numbers), 0)
  const { bins, offset } = latencies
  for (let at = 1; at < numbers.length; at += 2) {
    const count = numbers[at] ?? 0
    bins[key - offset] = (bins[key - offset] ?? 0) + count
    latencies.count += count
    key += numbers[at + 1] ?? 0
  }
}

function lastKey(firstKey: number, numbers: number[]): number {
  let key = firstKey
  for (let at = 2; at < numbers.length; at += 2) key += numbers[at] ?? 0
  return key
}

/** Seven bits a byte, the lowest first, the eighth set where more follow; counts may have more than 32 bits. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
}

/** The numbers that `pushNumber` pushed. */
function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  let unit = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * unit
    unit *= 0x80
    if (byte >= 0x80) continue
    numbers.push(value)
    value = 0
    unit = 1
  }
  return numbers
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2
}
