/** Only what needs the thing that is away may fail, and nothing hangs or is refused. */
import type { History, Operation } from '../history/history.ts'
import { kindOf } from './kinds.ts'
import type { Violation } from './violation.ts'
import { awayIn, excusesOf, isFailure } from './windows.ts'

/**
 * The longest that a request may take: the limits of a statement and of a wait for a connection, and some
 * more.
 */
const boundMs = 15_000

/**
 * The same where files have to be stored or read while the bucket is silent: three attempts of ten seconds.
 */
const silentBucketBoundMs = 40_000

export function findFailures(history: History): Violation[] {
  return history.operations.flatMap((operation) => [
    ...(judgeFailure(history, operation) ?? []),
    ...(judgeDuration(history, operation) ?? []),
  ])
}

function judgeFailure(history: History, operation: Operation): Violation[] | undefined {
  const { outcome, kind, subject, result } = operation
  if (outcome === 'ok' || operation.returnedMs === Number.POSITIVE_INFINITY) return undefined
  const what = `${kind} of ${subject} got ${result.status || 'no response'} from ${result.node ?? 'nobody'}`
  const why = result.note ? `: ${result.note}` : ''
  if (!isFailure(operation)) return [found('unexpected refusal', operation, `${what}${why}.`)]
  if (excusesOf(history, operation).length > 0) return undefined
  return [found('unexpected failure', operation, `${what}, with nothing away that it needs${why}.`)]
}

function judgeDuration(history: History, operation: Operation): Violation[] | undefined {
  const { invokeMs, returnedMs, kind, subject } = operation
  const span = { fromMs: invokeMs, toMs: returnedMs }
  const isSilent = kindOf(operation).needs.includes('bucket') && awayIn(history, 'bucket', span).length > 0
  const stalledMs = history.stalls
    .filter(({ beginMs, endMs }) => beginMs <= returnedMs && endMs >= invokeMs)
    .reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0)
  const allowedMs = (isSilent ? silentBucketBoundMs : boundMs) + stalledMs
  if (returnedMs - invokeMs <= allowedMs) return undefined
  const took = Number.isFinite(returnedMs)
    ? `took ${(returnedMs - invokeMs).toFixed(0)} ms`
    : 'never returned'
  return [found('hanging request', operation, `${kind} of ${subject} ${took}.`)]
}

function found(rule: Violation['rule'], { id, invokeMs }: Operation, message: string): Violation {
  return { rule, message, timeMs: invokeMs, operations: [id] }
}
