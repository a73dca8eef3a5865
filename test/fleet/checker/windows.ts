/** Which disturbances an operation may have met. */
import type { History, Operation, Window } from '../history/history.ts'
import type { Need } from '../history/lines.ts'
import { needsOf } from './needs.ts'

/** Within this time of a disturbance's end everything must work again. */
const recoveryMs = 5_000

type Span = { fromMs: number; toMs: number }

/** Whether the window, or the recovery after it, overlaps the span. */
function reaches({ beginMs, endMs }: Pick<Window, 'beginMs' | 'endMs'>, { fromMs, toMs }: Span): boolean {
  return beginMs <= toMs && endMs + recoveryMs >= fromMs
}

/**
 * The windows that excuse a failure of the operation: they take away what it needs, while it ran or just
 * before.
 */
export function excusesOf(history: History, operation: Operation): Window[] {
  const span = { fromMs: operation.invokeMs, toMs: operation.returnedMs }
  const needs = needsOf(history, operation)
  return history.windows.filter(
    (window) =>
      reaches(window, span) &&
      !isElsewhere(window, operation) &&
      needs.some((need) => window.disturbs.includes(need)),
  )
}

/** Whether the window is about one process, and another one handled the operation. */
function isElsewhere({ node }: Window, { result }: Operation): boolean {
  return node !== undefined && result.node !== undefined && result.node !== node
}

/** The windows in which `need` was away, and the recoveries from them, that overlap the span. */
export function awayIn({ windows }: Pick<History, 'windows'>, need: Need, span: Span): Window[] {
  return windows.filter((window) => window.disturbs.includes(need) && reaches(window, span))
}

/** Whether the response shows a failure of the fleet, rather than a refusal or a success. */
export function isFailure({ outcome, result: { status = 0 } }: Operation): boolean {
  return outcome !== 'ok' && (status === 0 || status >= 500)
}
