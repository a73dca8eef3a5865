/** What an operation needed: less where a process could answer from its cache. */
import type { History, Operation } from '../history/history.ts'
import type { Need } from '../history/lines.ts'
import { kindOf } from './kinds.ts'

/**
 * The parts of the fleet that the operation needed. A process that has served a steady subject since its last
 * start has it in its cache; until then it needs what it reads it from, too.
 */
export function needsOf(history: Pick<History, 'operations' | 'processes'>, operation: Operation): Need[] {
  const { needs, whenCold = [] } = kindOf(operation)
  return whenCold.length === 0 || isWarm(history, operation) ? needs : [...needs, ...whenCold]
}

function isWarm(
  { operations, processes }: Pick<History, 'operations' | 'processes'>,
  operation: Operation,
): boolean {
  const { kind, subject, invokeMs, result } = operation
  const starts = processes.filter(
    ({ type, process, timeMs }) => type === 'started' && process === result.node && timeMs < invokeMs,
  )
  const startedMs = starts.at(-1)?.timeMs ?? 0
  return operations.some(
    (each) =>
      each.kind === kind &&
      each.subject === subject &&
      each.result.node === result.node &&
      each.outcome === 'ok' &&
      each.invokeMs >= startedMs &&
      each.endMs < invokeMs,
  )
}
