/** Identifiers: a prefix for the kind, then 32 hex digits that begin with the time. */
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
  invitationLink: 'inv',
  request: 'req',
  log: 'log',
  shareLink: 'lnk',
  deployHook: 'dhk',
  trustPolicy: 'tp',
  forgeDelivery: 'fdl',
  passkey: 'psk',
} as const

export type IdKind = keyof typeof prefixes

/**
 * A new identifier such as `prj_0199…`: 12 hex digits of Unix milliseconds, then 80 random bits, so that
 * consecutive rows are adjacent in an index.
 */
export function newId(kind: IdKind, nowMs: number): string {
  return `${prefixes[kind]}_${nowMs.toString(16).padStart(12, '0')}${randomHex()}`
}

const randomBytes = 10

/** Random bytes for many identifiers: one draw costs more than all the rest of an identifier. */
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

/** Whether `text` has the format of an identifier of this kind (not whether such a row exists). */
export function isId(kind: IdKind, text: string): boolean {
  return idPattern(kind).test(text)
}

/** The schema of an identifier in a response: documented, but not validated in each response. */
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
