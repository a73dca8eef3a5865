/** Logs alerts: when one begins, daily while it lasts, and when it is over. */
import type { Logger } from '../../../lib/log/logger.ts'
import { type Alert, lesserOf } from './alert.ts'
import { isRecent, type Said, saidNow } from './say-changes.ts'

type Known = { said: Said; alert: Alert }

/** Logs what `alerts` changes since the call before; `nowMs` is a monotonic clock's. */
export type LogAlerts = (alerts: Alert[], nowMs: number) => void

/** Remembers what it has logged of each alert at each place. */
export function createAlertLog(log: Logger): LogAlerts {
  const known = new Map<string, Known>()

  function logPresent(key: string, alert: Alert, nowMs: number): void {
    const said = saidNow(known.get(key)?.said, nowMs)
    if (!said) return
    known.set(key, { said, alert })
    const { name, place, figure, unit, message } = alert
    log.warn({ alert: name, place, ...(unit !== null && { [unit]: figure }) }, message)
  }

  function logAbsent(key: string, { said, alert }: Known, isWorse: boolean, nowMs: number): void {
    const { name, place } = alert
    if (said.isOn && !isWorse) log.info({ alert: name, place }, `It is over: ${name} of ${place}.`)
    known.set(key, { alert, said: { ...said, isOn: false } })
    if (!isRecent(said, nowMs)) known.delete(key)
  }

  return (alerts, nowMs) => {
    const present = new Map(alerts.map((alert) => [`${alert.name} ${alert.place}`, alert]))
    const isWorse = new Set(alerts.map((alert) => `${lesserOf(alert)} ${alert.place}`))
    for (const [key, alert] of present) logPresent(key, alert, nowMs)
    for (const [key, each] of known) if (!present.has(key)) logAbsent(key, each, isWorse.has(key), nowMs)
  }
}
