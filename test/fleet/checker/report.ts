/** The result of a run as text for people. */
import type { History, Operation } from '../history/history.ts'
import type { Judgement } from './check.ts'
import { isInLoad, kinds } from './kinds.ts'
import { mebibytes } from './memory.ts'
import { recoveriesOf } from './recoveries.ts'
import { compareStretches } from './speed.ts'
import type { Violation } from './violation.ts'

/** More would hide the first ones, which are the ones to read. */
const maxViolations = 25

/** How much of the history is printed around a violation. */
const aroundMs = 500
const maxLines = 12

/** Operations by kind, disturbances with their recoveries, and violations with what happened around them. */
export function report(history: History, { violations, undecided }: Judgement): string {
  const stalledMs = history.stalls.reduce((sum, { beginMs, endMs }) => sum + endMs - beginMs, 0)
  const parts = [
    table(['operation', 'ok', 'fail', 'unknown', 'median', '99 %', 'longest'], operationRows(history)),
    table(['disturbance', 'at', 'lasted', 'excused', 'recovered after'], recoveryRows(history)),
    ...(history.stretches.length > 0 ? attackTables(history) : []),
    `${history.events.length} webhook requests. ` +
      `The harness was stalled for ${(stalledMs / 1_000).toFixed(1)} s.`,
    ...(undecided > 0 ? [`${undecided} registers had too many unknown outcomes to decide.`] : []),
    verdict(violations),
    ...violations.slice(0, maxViolations).map((violation) => describe(history, violation)),
  ]
  return `${parts.join('\n\n')}\n`
}

function verdict(violations: Violation[]): string {
  if (violations.length === 0) return 'No violations.'
  const rules = [...new Set(violations.map(({ rule }) => rule))]
  const each = rules.map((rule) => `${violations.filter((one) => one.rule === rule).length} × ${rule}`)
  return `${violations.length} VIOLATIONS: ${each.join(', ')}.`
}

/** What others noticed of the attacks, what the nodes held, and what kept the processors busy. */
function attackTables(history: History): string[] {
  const times = ['50 %', '99 %', 'longest']
  const head = ['time', 'calm', ...times, 'attacked', ...times, 'allowed']
  const ms = (time: number) => `${time.toFixed(0)} ms`
  const speedRows = compareStretches(history).map(({ speed, calm, attacked, allowedMs }) => [
    speed,
    ...[calm, attacked].flatMap(({ count, p50Ms, p99Ms, maxMs }) => [
      String(count),
      ms(p50Ms),
      ms(p99Ms),
      ms(maxMs),
    ]),
    ms(allowedMs),
  ])
  const memoryRows = history.memory.map(({ process, peakBytes, limitBytes, kills }) => [
    process,
    `${mebibytes(peakBytes)} MiB`,
    `${mebibytes(limitBytes)} MiB`,
    String(kills),
  ])
  const busyRows = (['calm', 'attacked'] as const).map((name) => [name, busyIn(history, name)])
  return [
    table(
      ['attack', 'what came of it'],
      history.attacks.map(({ name, outcome }) => [name, outcome]),
    ),
    table(head, speedRows),
    table(['memory', 'most', 'limit', 'ended by the kernel'], memoryRows),
    table(['processors that were busy', ''], busyRows),
  ]
}

/** Processors on average, by what kept them busy. */
function busyIn({ stretches }: History, name: 'calm' | 'attacked'): string {
  const chosen = stretches.filter((stretch) => stretch.name === name)
  const seconds = chosen.reduce((sum, { sinceMs, timeMs }) => sum + (timeMs - sinceMs) / 1_000, 0)
  const whats = Object.keys(chosen[0]?.busy ?? {})
  const sums = whats.map(
    (what) => [what, chosen.reduce((sum, { busy }) => sum + (busy[what] ?? 0), 0)] as const,
  )
  return sums.map(([what, sum]) => `${what} ${(sum / seconds).toFixed(2)}`).join(', ')
}

function operationRows({ operations, stretches }: History): string[][] {
  const inLoad = Object.keys(kinds).filter((kind) => isInLoad(kind, stretches.length > 0))
  return inLoad.map((kind) => {
    const all = operations.filter((each) => each.kind === kind)
    const count = (outcome: Operation['outcome']) =>
      String(all.filter((each) => each.outcome === outcome).length)
    const times = all
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ endMs, invokeMs }) => endMs - invokeMs)
      .toSorted((a, b) => a - b)
    const at = (share: number) => `${(times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0)} ms`
    return [kind, count('ok'), count('fail'), count('info'), at(0.5), at(0.99), at(1)]
  })
}

function recoveryRows(history: History): string[][] {
  return recoveriesOf(history).map(({ name, beginMs, endMs, failures, recoveryMs }) => [
    name,
    `${(beginMs / 1_000).toFixed(1)} s`,
    `${((endMs - beginMs) / 1_000).toFixed(1)} s`,
    String(failures),
    `${(recoveryMs / 1_000).toFixed(1)} s`,
  ])
}

function describe(history: History, { rule, message, timeMs, operations }: Violation): string {
  const near = history.operations.filter(
    ({ id, invokeMs, returnedMs }) =>
      operations.includes(id) || (invokeMs <= timeMs + aroundMs && returnedMs >= timeMs - aroundMs),
  )
  const subjects = new Set(near.filter(({ id }) => operations.includes(id)).map(({ subject }) => subject))
  const lines = near
    .filter(({ id, subject }) => operations.includes(id) || subjects.has(subject))
    .map((each) => ({ timeMs: each.invokeMs, text: lineOf(each, operations.includes(each.id)) }))
  const around = history.windows
    .filter(({ beginMs, endMs }) => beginMs <= timeMs + aroundMs && endMs >= timeMs - 10_000)
    .map(({ name, beginMs, endMs }) => ({
      timeMs: beginMs,
      text: `  ${seconds(beginMs)}–${seconds(endMs)} ${name}`,
    }))
  const shown = [...around, ...lines].toSorted((a, b) => a.timeMs - b.timeMs).slice(0, maxLines)
  return [`${seconds(timeMs)} ${rule}: ${message}`, ...shown.map(({ text }) => text)].join('\n')
}

function lineOf(
  { process, kind, subject, wanted, outcome, result, ...at }: Operation,
  isMarked: boolean,
): string {
  const { status, node, note, value } = result
  const details = [status, node, note].filter((each) => each !== undefined).join(' ')
  const what = [
    kind,
    subject,
    wanted ?? '',
    '→',
    outcome,
    value === undefined ? '' : (value ?? 'nothing'),
    details,
  ]
  const span = `${seconds(at.invokeMs)}–${seconds(at.returnedMs)}`
  return `${isMarked ? '>' : ' '} ${span} ${process}: ${what.filter((each) => each !== '').join(' ')}`
}

function seconds(timeMs: number): string {
  return Number.isFinite(timeMs) ? (timeMs / 1_000).toFixed(3) : 'never'
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), name.length),
  )
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return [head, ...rows].map(line).join('\n')
}
