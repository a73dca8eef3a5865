/** How long others wait while an attacker is at work, beside how long they waited before. */
import type { History, Operation } from '../history/history.ts'
import type { StretchLine } from '../history/lines.ts'
import { kindOf, type Speed, speeds } from './kinds.ts'
import type { Violation } from './violation.ts'

type Times = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

export type Comparison = { speed: Speed; calm: Times; attacked: Times; allowedMs: number }

type Measured = Pick<History, 'operations' | 'stretches'>

/** So many attacks are named. */
const maxNamed = 5

/** Whatever is as quick as this is quick enough. */
const enoughMs = 250

/** The 99th percentile may grow by so much. */
const maxGrowth = 2

/** One for each kind of what clients do, in a run that has both. */
export function compareStretches({ operations, stretches }: Measured): Comparison[] {
  if (stretches.length === 0) return []
  const timesIn = (speed: Speed, name: StretchLine['name']) => {
    const spans = stretches.filter((stretch) => stretch.name === name)
    const within = operations.filter(({ invokeMs }) =>
      spans.some(({ sinceMs, timeMs }) => invokeMs >= sinceMs && invokeMs < timeMs),
    )
    const done = within.filter((each) => each.outcome === 'ok' && kindOf(each).speed === speed)
    return timesOf(done.map(tookMs))
  }
  return speeds.map((speed) => {
    const calm = timesIn(speed, 'calm')
    const allowedMs = Math.max(maxGrowth * calm.p99Ms, enoughMs)
    return { speed, calm, attacked: timesIn(speed, 'attacked'), allowedMs }
  })
}

const tookMs = ({ invokeMs, returnedMs }: Operation) => returnedMs - invokeMs

function timesOf(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

export function findSlowed(history: Measured & Pick<History, 'windows'>): Violation[] {
  const slowed = compareStretches(history).filter(({ attacked, allowedMs }) => attacked.p99Ms > allowedMs)
  return slowed.map(({ speed, calm, attacked, allowedMs }) => {
    const slow = history.operations.filter(
      (each) => each.outcome === 'ok' && kindOf(each).speed === speed && tookMs(each) > allowedMs,
    )
    return {
      rule: 'slowed by attacks',
      message:
        `99 % of ${speed} took up to ${attacked.p99Ms.toFixed(0)} ms, and ${calm.p99Ms.toFixed(0)} ms ` +
        `without attacks: ${allowedMs.toFixed(0)} ms are allowed. Longer took ${besides(history, slow)}.`,
      timeMs: slow[0]?.invokeMs ?? 0,
      operations: [],
    }
  })
}

/** How many of the operations ran beside which attack. */
function besides({ windows }: Pick<History, 'windows'>, slow: Operation[]): string {
  const counts = windows.map(({ name, beginMs, endMs }) => ({
    name,
    count: slow.filter(({ invokeMs, returnedMs }) => invokeMs < endMs && returnedMs > beginMs).length,
  }))
  const most = counts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  const named = most.slice(0, maxNamed).map(({ name, count }) => `${count} beside ${name}`)
  return named.join(', ') || `${slow.length} beside none`
}
