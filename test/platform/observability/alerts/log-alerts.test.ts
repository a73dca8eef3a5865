/** When alerts are logged. */
import { expect, it } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import type { Alert, AlertName } from '../../../../src/platform/observability/alerts/alert.ts'
import { createAlertLog } from '../../../../src/platform/observability/alerts/log-alerts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const alertOf = (name: AlertName, place = '/data'): Alert => ({
  name,
  place,
  figure: 7,
  unit: 'free_percent',
  isOfMachine: true,
  message: `${name} at ${place}.`,
})

const low = alertOf('disk_low')
const full = alertOf('disk_full')

function open() {
  const lines: { level: number; msg: string; free_percent?: number }[] = []
  const log = createAlertLog(createLogger({ write: (line) => void lines.push(JSON.parse(line)) }))
  return {
    lines,
    /** The sentences that are logged of these alerts at this time. */
    at(nowMs: number, ...alerts: Alert[]): string[] {
      const before = lines.length
      log(alerts, nowMs)
      return lines.slice(before).map(({ msg }) => msg)
    },
  }
}

it('once when it begins, daily while it lasts, and once when it is over', () => {
  const { at, lines } = open()
  expect(at(0, low)).toEqual(['disk_low at /data.'])
  expect(lines).toMatchObject([{ level: 40, alert: 'disk_low', place: '/data', free_percent: 7 }])
  for (let ms = 5_000; ms < dayMs; ms += hourMs) expect(at(ms, low)).toEqual([])
  expect(at(dayMs, low)).toEqual(['disk_low at /data.'])
  expect(at(dayMs + 5_000, low)).toEqual([])
  expect(at(dayMs + 10_000)).toEqual(['It is over: disk_low of /data.'])
  expect(at(dayMs + 15_000)).toEqual([])
})

it('at each place by itself', () => {
  const { at } = open()
  const [first, second] = [alertOf('certificate_expires', 'a'), alertOf('certificate_expires', 'b')]
  expect(at(0, first)).toHaveLength(1)
  expect(at(1, first, second)).toEqual(['certificate_expires at b.'])
  expect(at(2, second)).toEqual(['It is over: certificate_expires of a.'])
})

it('once an hour at most where it comes and goes', () => {
  const { at } = open()
  let said = 0
  for (let minute = 0; minute < 180; minute += 1)
    said += at(minute * minuteMs, ...(minute % 2 === 0 ? [low] : [])).length
  expect(said).toBe(6)
})

it('what has grown worse is not over', () => {
  const { at } = open()
  at(0, low)
  expect(at(1, full)).toEqual(['disk_full at /data.'])
  expect(at(2, low)).toEqual(['It is over: disk_full of /data.'])
  expect(at(3)).toEqual([])
})
