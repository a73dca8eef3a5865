/** A metric, and how it is printed. */
import { describe, expect, it } from 'vitest'
import type { Point } from '../../../src/cli/metrics/chart.ts'
import { type Series, writeSeries } from '../../../src/cli/metrics/write-series.ts'
import { localTime } from '../../../src/cli/terminal/format.ts'

const hourMs = 3_600_000
const startMs = 1_790_000_000_000 - (1_790_000_000_000 % hourMs)

const series = (metric: string, unit: string, values: (number | null)[], stepMs = hourMs): Series => ({
  metric,
  unit,
  step_ms: stepMs,
  points: values.map((value, index): Point => [startMs + index * stepMs, value]),
})

type Options = { isTTY?: boolean; columns?: number; env?: Record<string, string>; to?: 'stdout' | 'stderr' }

function printed(
  of: Series,
  { isTTY = true, columns = 60, env = {}, to = 'stdout' }: Options = {},
): string[] {
  const written: string[] = []
  const stream = (name: Options['to']) =>
    Object.assign(Object.create(process[name ?? 'stdout']), {
      isTTY,
      columns,
      write: (text: string) => name === to && written.push(text),
    })
  const io = {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: { TERM: 'xterm', NO_COLOR: '1', ...env },
  }
  writeSeries(io, of, 'web\u001b[2J')
  return written.join('').trimEnd().split('\n')
}

const since = localTime(startMs).slice(0, 16).replace('T', ' ')

describe('at a terminal', () => {
  it.each<[Series, string]>([
    [series('requests', 'requests', [1_000, 234]), `web: 1,234 requests since ${since}, at most 1k in 1h`],
    [series('errors', 'requests', [0, 1]), `web: 1 error since ${since}, at most 1 in 1h`],
    [series('responses_404', 'requests', [1, 0]), `web: 1 response of 404 since ${since}, at most 1 in 1h`],
    [series('responses_4xx', 'requests', [null]), `web: no responses of 4xx since ${since}`],
    [series('bytes', 'bytes', [1_024, 512]), `web: 1.5 KiB since ${since}, at most 1.0 KiB in 1h`],
    [
      series('latency_p95', 'ms', [1.25, null, 10.6]),
      `web: latency_p95 between 1.3 ms and 11 ms since ${since}, in steps of 1h`,
    ],
    [series('latency_p50', 'ms', [null, null]), `web: no latency_p50 since ${since}`],
    [series('requests', 'requests', []), 'web: no requests'],
  ])('%# is a sentence', (of, sentence) => {
    expect(printed(of)[0]).toBe(sentence)
  })

  it.each([
    [[null, null, 4], 'Without 2 steps from before responses were counted by status.'],
    [[null], 'Without 1 step from before responses were counted by status.'],
    [[0, 4], ''],
  ])('says on stderr what %j lacks, also into a pipe', (values, said) => {
    for (const isTTY of [true, false]) {
      const lines = printed(series('responses_404', 'requests', values), { isTTY, to: 'stderr' })
      expect(lines.at(-1)?.includes('no responses') ? '' : lines.at(-1)).toBe(said)
    }
  })

  it('has a chart as wide as the terminal at most, with times or dates below', () => {
    const lines = printed(series('requests', 'requests', Array(24).fill(5)))
    expect(lines).toHaveLength(11)
    expect(lines[1]).toBe(`  5 ┤${'█'.repeat(48)}`)
    expect(lines[10]?.trim().split(/ +/)[0]).toBe(localTime(startMs).slice(11, 16))
    const days = printed(series('requests', 'requests', Array(30).fill(5), 24 * hourMs))
    expect(days[10]?.trim().split(/ +/)[0]).toBe(localTime(startMs).slice(5, 10))
  })

  it('explains the length of a bar that combines several steps', () => {
    const [sentence] = printed(series('requests', 'requests', Array(120).fill(1), 60_000))
    expect(sentence).toBe(`web: 120 requests since ${since}, at most 1 in 1m, a bar is 3m`)
  })

  it('is bold only if wanted', () => {
    expect(printed(series('errors', 'requests', [1]), { env: { NO_COLOR: '' } })[0]).toContain('\u001b[1m')
  })
})

describe('into a pipe', () => {
  it('is a line for each step with something in it, with a tab before the value', () => {
    expect(printed(series('latency_p50', 'ms', [1.25, null, 0]), { isTTY: false })).toEqual([
      `${localTime(startMs)}\t1.25`,
      `${localTime(startMs + 2 * hourMs)}\t0`,
    ])
    expect(printed(series('requests', 'requests', [0, 7, 0]), { isTTY: false })).toEqual([
      `${localTime(startMs + hourMs)}\t7`,
    ])
  })

  it('is a sentence beside it where there is nothing', () => {
    const of = series('requests', 'requests', [0, 0])
    expect(printed(of, { isTTY: false })).toEqual([''])
    expect(printed(of, { isTTY: false, to: 'stderr' })).toEqual([`web: no requests since ${since}`])
  })
})
