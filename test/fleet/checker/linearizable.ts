/**
 * Whether the operations on a register are linearizable: each seems to happen at one moment between its ends.
 * After Wing and Gong, "Testing and verifying concurrent objects" (1993), with memory as in Lowe, "Testing
 * for linearizability" (2017): no configuration is followed twice.
 */
import { type Access, lastMomentOf, type Register } from './register.ts'

type Step = Access & { kind: 'read' | 'write' | 'uncertain' }

/** What the register holds, and which of the open operations have happened. */
type Configuration = { value: string | null; done: ReadonlySet<number> }

export type Verdict =
  | { linearizable: true }
  /** `id`: the first operation for which there is no moment. */
  | { linearizable: false; id: number }
  /** There are more possibilities than are worth following. */
  | { linearizable: undefined }

const maxConfigurations = 100_000

/** Judges all operations of one register. Writes with unknown outcomes may have happened, or not. */
export function judgeRegister({ initial, writes, reads }: Register): Verdict {
  const steps: Step[] = [
    ...writes.map(
      (write): Step => ({ ...write, kind: Number.isFinite(write.endMs) ? 'write' : 'uncertain' }),
    ),
    ...reads.map((read): Step => ({ ...read, kind: 'read' })),
  ]
  const open = new Map<number, Step>()
  let configurations: Configuration[] = [{ value: initial, done: new Set() }]
  for (const { step, isEnd } of inOrder(steps)) {
    if (!isEnd) {
      open.set(step.id, step)
      continue
    }
    const found = step.kind === 'uncertain' ? configurations : withDone(configurations, step, open)
    if (found === undefined) return { linearizable: undefined }
    if (found.length === 0) return { linearizable: false, id: step.id }
    open.delete(step.id)
    configurations = distinct(found.map(({ value, done }) => ({ value, done: without(done, step.id) })))
  }
  return { linearizable: true }
}

/** Beginnings and ends by time; of simultaneous ones the beginnings first, so that they overlap. */
function inOrder(steps: Step[]): { step: Step; isEnd: boolean }[] {
  return steps
    .flatMap((step) => [
      { step, isEnd: false, timeMs: step.invokeMs },
      { step, isEnd: true, timeMs: lastMomentOf(step) },
    ])
    .sort((a, b) => a.timeMs - b.timeMs || Number(a.isEnd) - Number(b.isEnd))
}

/**
 * The configurations in which `step` has happened, after any of the open ones. Undefined if there are too
 * many.
 */
function withDone(
  configurations: Configuration[],
  step: Step,
  open: Map<number, Step>,
): Configuration[] | undefined {
  const seen = new Set<string>()
  const found: Configuration[] = []
  const waiting = [...configurations]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const key = keyOf(next)
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > maxConfigurations) return undefined
    if (next.done.has(step.id)) found.push(next)
    else waiting.push(...successors(next, [...open.values()]))
  }
  return found
}

function successors({ value, done }: Configuration, open: Step[]): Configuration[] {
  const left = open.filter((each) => !done.has(each.id))
  // A read of what is there changes nothing, so nothing is gained by leaving it for later.
  const readNow = left.filter((each) => each.kind === 'read' && each.value === value)
  if (readNow.length > 0) return [{ value, done: plus(done, readNow) }]
  return left.flatMap((each) => {
    if (each.kind === 'write') return [{ value: each.value, done: plus(done, [each]) }]
    return each.kind === 'read' ? readOfUncertain(each, done, left) : []
  })
}

/**
 * A write with an unknown outcome is assumed only where a read can't be explained otherwise, and directly
 * before it: one that nobody reads may as well not have happened.
 */
function readOfUncertain(read: Step, done: ReadonlySet<number>, left: Step[]): Configuration[] {
  const [soonestOver] = left
    .filter((each) => each.kind === 'uncertain' && each.value === read.value)
    .sort((a, b) => a.invokeMs - b.invokeMs)
  return soonestOver ? [{ value: read.value, done: plus(done, [soonestOver, read]) }] : []
}

function distinct(configurations: Configuration[]): Configuration[] {
  return [...new Map(configurations.map((each) => [keyOf(each), each])).values()]
}

function keyOf({ value, done }: Configuration): string {
  return JSON.stringify([value, ...[...done].sort((a, b) => a - b)])
}

function plus(done: ReadonlySet<number>, steps: Step[]): ReadonlySet<number> {
  return new Set([...done, ...steps.map(({ id }) => id)])
}

function without(done: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set([...done].filter((each) => each !== id))
}
