/** Identifiers: a prefix that tells the kind, then 32 hex digits that begin with the time. */
import { randomFillSync } from 'node:crypto'
import { z } from 'zod'

const prefixes = {
  deployment: 'dpl',
  project: 'prj',
  domain: 'dom',
  record: 'rec',
  event: 'evt',
  webhook: 'hook',
  delivery: 'dlv',
  team: 'team',
  user: 'usr',
  account: 'acc',
  session: 'ses',
  key: 'key',
  request: 'req',
  log: 'log',
} as const

export type IdKind = keyof typeof prefixes

/**
 * A new identifier such as `prj_0199…`: 12 hex digits of Unix milliseconds, then 80 random bits, so that rows made
 * one after another lie side by side in an index.
 */
export function newId(kind: IdKind, nowMs: number): string {
  return `${prefixes[kind]}_${nowMs.toString(16).padStart(12, '0')}${randomHex()}`
}

const randomBytes = 10

/** Drawn for many identifiers at once: one draw costs more than all the rest of an identifier. */
const pool = Buffer.alloc(512 * randomBytes)
let usedBytes = pool.length

function randomHex(): string {
  if (usedBytes === pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  usedBytes += randomBytes
  return pool.toString('hex', usedBytes - randomBytes, usedBytes)
}

/** Whether `text` has the shape of an identifier of this kind (not whether such a row exists). */
export function isId(kind: IdKind, text: string): boolean {
  return idPattern(kind).test(text)
}

/** The schema of an identifier of this kind in an answer: its shape is told, but not checked again for each answer. */
export function idSchema(kind: IdKind) {
  return z.string().meta({ pattern: idPattern(kind).source })
}

const patterns = new Map<IdKind, RegExp>()

function idPattern(kind: IdKind): RegExp {
  const known = patterns.get(kind)
  if (known) return known
  const pattern = new RegExp(`^${prefixes[kind]}_[0-9a-f]{32}$`)
  patterns.set(kind, pattern)
  return pattern
}
