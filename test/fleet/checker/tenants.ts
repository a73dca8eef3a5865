/** No team sees another's bytes: every body names its project and version, every row its project. */
import type { History, Operation } from '../history/history.ts'
import type { Violation } from './violation.ts'

export function findForeignBytes({ operations }: Pick<History, 'operations'>): Violation[] {
  return operations.filter(({ outcome }) => outcome === 'ok').flatMap((operation) => judge(operation) ?? [])
}

function judge(operation: Operation): Violation | undefined {
  const { kind, subject, result } = operation
  if (kind === 'page.preview') return judgePage(operation, (value) => value === subject)
  if (kind.startsWith('page.')) return judgePage(operation, (value) => value.startsWith(`${subject}@`))
  if (kind === 'stranger' && result.value !== 'refused')
    return found("another team's bytes", operation, `${subject} was not refused: ${result.note ?? ''}`)
  const foreign =
    kind === 'log.read' ? result.list?.find((project) => !project.startsWith(`${subject}-`)) : undefined
  return foreign === undefined
    ? undefined
    : found("another team's bytes", operation, `The log of ${subject} has a row of ${foreign}.`)
}

/** A body that isn't one of the load's has `?` as its version. */
function judgePage(operation: Operation, isOwn: (value: string) => boolean): Violation | undefined {
  const { kind, subject, result } = operation
  const { value = null } = result
  if (value === null || isOwn(value)) return undefined
  return value.startsWith('?')
    ? found('wrong bytes', operation, `${kind} of ${subject} returned damaged bytes: ${result.note ?? ''}`)
    : found("another team's bytes", operation, `${kind} of ${subject} returned ${value}.`)
}

function found(rule: Violation['rule'], { id, invokeMs }: Operation, message: string): Violation {
  return { rule, message, timeMs: invokeMs, operations: [id] }
}
