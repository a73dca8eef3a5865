/** Parses `Accept-Encoding` (RFC 9110, section 12.5.3): which variants a client accepts, in which order. */
import { type Coding, codings } from './encodings.ts'

export type FormName = Coding | 'identity'

/** The order of variants with equal weight. */
const names: readonly FormName[] = [...codings, 'identity']

/** The weight of unnamed codings without a `*`: accepted after all named ones. */
const unnamed = Number.MIN_VALUE

/** Members past this many are ignored. */
const maxMembers = 50

/** Allows a few more digits than section 12.4.2. */
const weightPattern = /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/

const cache = new Map<string, readonly FormName[]>()
const maxCached = 200
const maxCachedLength = 200

/**
 * The codings that `field` accepts, the best first. Without the field only `identity`, though anything would
 * be acceptable: clients that don't request compression often can't decompress. Members with a malformed
 * weight are ignored; of several for the same coding the lowest weight counts.
 */
export function acceptedForms(field: string | undefined): readonly FormName[] {
  if (field === undefined) return ['identity']
  const known = cache.get(field)
  if (known) return known
  const accepted = parse(field)
  if (field.length <= maxCachedLength) {
    if (cache.size >= maxCached) cache.clear()
    cache.set(field, accepted)
  }
  return accepted
}

function parse(field: string): readonly FormName[] {
  const weights = readWeights(field)
  const rest = weights.get('*')
  const weightOf = (name: FormName) => weights.get(name) ?? rest ?? (name === 'identity' ? unnamed : 0)
  return names.filter((name) => weightOf(name) > 0).sort((a, b) => weightOf(b) - weightOf(a))
}

function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const member of field.toLowerCase().split(',', maxMembers)) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = readWeight(parameters)
    if (weight === undefined) continue
    // An alias of the same coding (section 8.4.1.3).
    const coding = name === 'x-gzip' ? 'gzip' : name
    weights.set(coding, Math.min(weight, weights.get(coding) ?? 1))
  }
  return weights
}

function readWeight(parameters: string[]): number | undefined {
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (given === undefined) return 1
  const digits = weightPattern.exec(given)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
