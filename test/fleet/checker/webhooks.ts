/** Each event of an acknowledged change arrived, rightly signed, at its own team. */
import type { History, Operation } from '../history/history.ts'
import type { EventLine } from '../history/lines.ts'
import { mayHaveHeld } from './register.ts'
import { type KnownRegister, registersOf } from './registers.ts'
import type { Violation } from './violation.ts'

type Expected = { event: string; about: string; operations: number[] }

export function findWebhookProblems(history: History): Violation[] {
  const arrived = new Map<string, Set<string>>()
  for (const { event, about, id } of history.events) {
    const key = `${event} ${about}`
    arrived.set(key, (arrived.get(key) ?? new Set()).add(id))
  }
  const lost = expectedEvents(history).filter(
    ({ event, about, operations }) => (arrived.get(`${event} ${about}`)?.size ?? 0) < operations.length,
  )
  return [
    ...lost.map((each) => describeLost(history, each, arrived.get(`${each.event} ${each.about}`)?.size ?? 0)),
    ...history.events.filter(({ problem }) => problem !== undefined).map(describeWrong),
  ]
}

/** The events of all acknowledged changes; the same event of the same subject once for each change. */
function expectedEvents(history: History): Expected[] {
  const registers = new Map(
    registersOf(history).map((register) => [`${register.name} ${register.subject}`, register]),
  )
  const expected = new Map<string, Expected>()
  for (const operation of history.operations) {
    const { made } = operation.result
    if (operation.outcome !== 'ok' || made === undefined) continue
    for (const event of eventsOf(operation, registers)) {
      const key = `${event} ${made}`
      const known = expected.get(key) ?? { event, about: made, operations: [] }
      expected.set(key, known)
      known.operations.push(operation.id)
    }
  }
  return [...expected.values()]
}

function eventsOf(operation: Operation, registers: Map<string, KnownRegister>): string[] {
  const { kind, result } = operation
  const promoted = result.value !== undefined && isChange(operation, registers) ? ['deployment.promoted'] : []
  if (kind === 'deploy') return ['deployment.created', 'deployment.ready', ...promoted]
  if (kind === 'preview') return ['deployment.created', 'deployment.ready']
  if (kind === 'promote') return promoted
  if (kind === 'key.create') return ['key.created']
  if (kind === 'key.revoke') return ['key.revoked']
  return kind === 'record.set' && result.note !== undefined ? [result.note] : []
}

/** Promoting what is live already changes nothing. */
function isChange(
  { id, subject, result, invokeMs, endMs }: Operation,
  registers: Map<string, KnownRegister>,
) {
  const register = registers.get(`production ${subject}`)
  if (!register || result.value === undefined) return false
  const others = { ...register, writes: register.writes.filter((write) => write.id !== id) }
  return !mayHaveHeld(others, result.value, { fromMs: invokeMs, toMs: endMs })
}

function describeLost(
  { operations }: History,
  { event, about, operations: ids }: Expected,
  count: number,
): Violation {
  const last = operations.find(({ id }) => id === ids.at(-1))
  return {
    rule: 'lost webhook',
    message: `${event} of ${about} arrived ${count} times instead of ${ids.length}.`,
    timeMs: last?.invokeMs ?? 0,
    operations: ids,
  }
}

function describeWrong({ event, about, team, problem, timeMs }: EventLine): Violation {
  const message = `${event} of ${about}, sent to ${team}: ${problem}.`
  return { rule: 'wrong webhook', message, timeMs, operations: [] }
}
