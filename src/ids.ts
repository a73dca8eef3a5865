/** Identifiers: a prefix that tells the kind, then 32 hex digits that begin with the time. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

const prefixes = {
  deployment: 'dpl',
  project: 'prj',
  team: 'team',
  user: 'usr',
  key: 'key',
  request: 'req',
} as const

export type IdKind = keyof typeof prefixes

/**
 * A new identifier such as `prj_0199…`: 12 hex digits of Unix milliseconds, then 80 random bits, so that rows made
 * one after another lie side by side in an index.
 */
export function newId(kind: IdKind, nowMs: number): string {
  return `${prefixes[kind]}_${nowMs.toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`
}

/** Whether `text` has the shape of an identifier of this kind (not whether such a row exists). */
export function isId(kind: IdKind, text: string): boolean {
  return idPattern(kind).test(text)
}

/** The schema of an identifier of this kind, as outputs show it. */
export function idSchema(kind: IdKind) {
  return z.string().regex(idPattern(kind))
}

const patterns = new Map<IdKind, RegExp>()

function idPattern(kind: IdKind): RegExp {
  const known = patterns.get(kind)
  if (known) return known
  const pattern = new RegExp(`^${prefixes[kind]}_[0-9a-f]{32}$`)
  patterns.set(kind, pattern)
  return pattern
}
