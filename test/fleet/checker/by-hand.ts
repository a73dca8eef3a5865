/** Histories made by hand. */
import type { History, Operation, Window } from '../history/history.ts'
import type { EventLine, Need } from '../history/lines.ts'
import type { KindName } from './kinds.ts'

type Given = Partial<Operation['result']> & {
  /** When it was invoked, and when it returned, in milliseconds. */
  at: [number, number]
  outcome?: Operation['outcome']
  wanted?: string | null
}

let lastId = 0

/** An operation, acknowledged unless `outcome` says otherwise. */
export function operation(
  kind: KindName,
  subject: string,
  { at, outcome = 'ok', wanted, ...result }: Given,
): Operation {
  const [invokeMs, returnedMs] = at
  lastId += 1
  return {
    id: lastId,
    process: 'test',
    kind,
    subject,
    invokeMs,
    returnedMs,
    outcome,
    wanted,
    result,
    endMs: outcome === 'info' ? Number.POSITIVE_INFINITY : returnedMs,
  }
}

/** An acknowledged write of `value` into a project's production. */
export function promote(subject: string, value: string, at: [number, number]): Operation {
  return operation('promote', subject, { at, wanted: value, value, made: `dpl_${value}` })
}

/** A strong read of a project's production. */
export function read(subject: string, value: string | null, at: [number, number]): Operation {
  return operation('project.read', subject, { at, value })
}

export function away(disturbs: Need[], [beginMs, endMs]: [number, number], node?: string): Window {
  lastId += 1
  return {
    id: lastId,
    name: `no ${disturbs.join()}`,
    disturbs,
    beginMs,
    endMs,
    ...(node !== undefined && { node }),
  }
}

export function arrived(event: string, about: string, more: Partial<EventLine> = {}): EventLine {
  lastId += 1
  return { type: 'event', timeMs: 0, team: 'a', id: `evt_${lastId}`, event, about, ...more }
}

export function history(operations: Operation[], more: Partial<History> = {}): History {
  const rest = { windows: [], events: [], processes: [], stalls: [], stretches: [], attacks: [], memory: [] }
  return { operations, ...rest, ...more }
}
