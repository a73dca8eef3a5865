/** Nothing old is served a second after an acknowledged change, and no valid key is refused. */
import type { History, Operation } from '../history/history.ts'
import { kindOf } from './kinds.ts'
import { mayHaveHeld } from './register.ts'
import { type KnownRegister, registersOf } from './registers.ts'
import type { Violation } from './violation.ts'
import { awayIn } from './windows.ts'

/** How old an answer of a cache may be, unless its kind says otherwise. */
const staleMs = 1_000

export function findStaleReads(history: History): Violation[] {
  return registersOf(history).flatMap((register) =>
    register.staleReads.flatMap((read) => judgeRead(history, register, read) ?? []),
  )
}

function judgeRead(history: History, register: KnownRegister, read: Operation): Violation | undefined {
  const { value = null } = read.result
  const fromMs = oldestMs(history, register, read)
  if (mayHaveHeld(register, value, { fromMs, toMs: read.returnedMs })) return undefined
  const newer = register.writes.filter((write) => write.value !== value && write.endMs < fromMs).at(-1)
  const since = newer
    ? `, though ${newer.value ?? 'nothing'} was there since ${newer.endMs.toFixed(0)} ms`
    : ''
  return {
    rule: 'stale read',
    message: `${read.kind} of ${read.subject} returned ${value ?? 'nothing'}${since}.`,
    timeMs: read.invokeMs,
    operations: [...(newer ? [newer.id] : []), read.id],
  }
}

/**
 * The earliest moment of which the answer may be. While the database is away, caches may answer with what
 * they knew before. But a key is looked up when it isn't known: a valid one is never refused.
 */
function oldestMs(
  history: History,
  { name }: KnownRegister,
  { kind, invokeMs, returnedMs, result }: Operation,
): number {
  if (name === 'key' && result.value === null) return invokeMs
  const ageMs = kindOf({ kind }).staleMs ?? staleMs
  const usual = { fromMs: invokeMs - ageMs, toMs: returnedMs }
  const excuses = [
    ...awayIn(history, 'database', usual),
    ...history.stalls.filter(({ beginMs, endMs }) => beginMs <= usual.toMs && endMs >= usual.fromMs),
  ]
  return Math.min(usual.fromMs, ...excuses.map(({ beginMs }) => beginMs - ageMs))
}
