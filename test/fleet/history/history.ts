/** A history as the checker sees it: operations with both their ends, windows of disturbance, events. */
import {
  type AttackLine,
  type EventLine,
  type InvokeLine,
  type Line,
  lineSchema,
  type MemoryLine,
  type NemesisLine,
  type ProcessLine,
  type ResultLine,
  type StretchLine,
} from './lines.ts'

export type Operation = Pick<InvokeLine, 'id' | 'process' | 'kind' | 'subject'> & {
  invokeMs: number
  /** Infinity where the outcome is unknown. */
  endMs: number
  outcome: 'ok' | 'fail' | 'info'
  /** What a write was to set. */
  wanted: string | null | undefined
  result: Partial<Pick<ResultLine, 'value' | 'made' | 'list' | 'status' | 'node' | 'note'>>
  /** When the caller learned of the outcome, also of an unknown one; Infinity: never. */
  returnedMs: number
}

/** A nemesis from its beginning until what it took away was back. */
export type Window = Pick<NemesisLine, 'id' | 'name' | 'disturbs' | 'node'> & {
  beginMs: number
  endMs: number
}

type Stall = { beginMs: number; endMs: number }

export type History = {
  operations: Operation[]
  windows: Window[]
  events: EventLine[]
  processes: ProcessLine[]
  stalls: Stall[]
  /** Of a run with attacks. */
  stretches: StretchLine[]
  attacks: AttackLine[]
  memory: MemoryLine[]
}

/** Parses the text of a history. @throws when a line is none, with its number. */
export function parseHistory(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const parsed = lineSchema.safeParse(JSON.parse(line))
      if (parsed.success) return parsed.data
      throw new Error(`Line ${index + 1} is not of a history: ${parsed.error.message}`)
    })
}

/**
 * Pairs the lines. What never returned has an unknown outcome, and a nemesis that never ended lasts forever.
 */
export function toHistory(lines: Line[]): History {
  const operations = new Map<number, Operation>()
  const windows = new Map<number, Window>()
  const history: History = {
    operations: [],
    windows: [],
    events: [],
    processes: [],
    stalls: [],
    stretches: [],
    attacks: [],
    memory: [],
  }
  for (const line of lines) {
    if (line.type === 'invoke') operations.set(line.id, invoked(line))
    else if (line.type === 'nemesis') noteNemesis(windows, line)
    else if (line.type === 'event') history.events.push(line)
    else if (line.type === 'stall') history.stalls.push({ beginMs: line.sinceMs, endMs: line.timeMs })
    else if (line.type === 'stretch') history.stretches.push(line)
    else if (line.type === 'attack') history.attacks.push(line)
    else if (line.type === 'memory') history.memory.push(line)
    else if ('id' in line) complete(operations.get(line.id), line)
    else history.processes.push(line)
  }
  return { ...history, operations: [...operations.values()], windows: [...windows.values()] }
}

function invoked({ id, timeMs, process, kind, subject, value }: InvokeLine): Operation {
  const unknown = { endMs: Number.POSITIVE_INFINITY, returnedMs: Number.POSITIVE_INFINITY }
  return {
    id,
    process,
    kind,
    subject,
    invokeMs: timeMs,
    ...unknown,
    outcome: 'info',
    wanted: value,
    result: {},
  }
}

function complete(operation: Operation | undefined, { type, id, timeMs, ...result }: ResultLine): void {
  if (!operation) throw new Error(`Operation ${id} returned, but was never invoked.`)
  const endMs = type === 'info' ? Number.POSITIVE_INFINITY : timeMs
  Object.assign(operation, { outcome: type, endMs, returnedMs: timeMs, result })
}

function noteNemesis(windows: Map<number, Window>, { phase, id, name, disturbs, node, timeMs }: NemesisLine) {
  const window = windows.get(id)
  if (phase === 'end' && window) window.endMs = timeMs
  if (phase === 'begin') {
    const where = node === undefined ? {} : { node }
    windows.set(id, { id, name, disturbs, ...where, beginMs: timeMs, endMs: Number.POSITIVE_INFINITY })
  }
}
