/** Judges a history by all rules. */
import type { History } from '../history/history.ts'
import { findLostChanges } from './durability.ts'
import { findFailures } from './failures.ts'
import { isInLoad, kinds } from './kinds.ts'
import { checkLinearity } from './linearity.ts'
import { findOverruns } from './memory.ts'
import { findSlowed } from './speed.ts'
import { findStaleReads } from './stale-reads.ts'
import { findForeignBytes } from './tenants.ts'
import type { Violation } from './violation.ts'
import { findWebhookProblems } from './webhooks.ts'

export type Judgement = {
  /** By time. */
  violations: Violation[]
  /** Registers with too many unknown outcomes to decide whether they are linearizable. */
  undecided: number
}

/** The judgement of a whole history. Pure: the same history has the same judgement. */
export function check(history: History): Judgement {
  const { violations, undecided } = checkLinearity(history)
  const all = [
    ...violations,
    ...findStaleReads(history),
    ...findLostChanges(history),
    ...findForeignBytes(history),
    ...findFailures(history),
    ...findWebhookProblems(history),
    ...findDeaths(history),
    ...findOverruns(history),
    ...findSlowed(history),
    ...findUnexercised(history),
  ]
  return { violations: all.toSorted((a, b) => a.timeMs - b.timeMs), undecided }
}

function findDeaths({ processes }: History): Violation[] {
  return processes
    .filter(({ type }) => type === 'died')
    .map(({ process, timeMs, note = '' }) => ({
      rule: 'died by itself',
      message: `${process} ended by itself: ${note}`,
      timeMs,
      operations: [],
    }))
}

/** A run in which a kind of operation never succeeded has shown nothing about it. */
function findUnexercised({ operations, stretches }: History): Violation[] {
  const done = new Set(operations.filter(({ outcome }) => outcome === 'ok').map(({ kind }) => kind))
  return Object.keys(kinds)
    .filter((kind) => !done.has(kind) && isInLoad(kind, stretches.length > 0))
    .map((kind) => ({
      rule: 'never exercised',
      message: `No ${kind} succeeded.`,
      timeMs: 0,
      operations: [],
    }))
}
