/** Sends the operator what changes of the alerts of all nodes. */
import type { Logger } from '../../../lib/log/logger.ts'
import type { Database } from '../../../stores/db/database.ts'
import { isDiskFull } from '../../../stores/db/failures.ts'
import type { Alert } from '../alerts/alert.ts'
import { type Said, saidNow } from '../alerts/say-changes.ts'
import { claimChanges, type NotedRow, noteAlerts, settleChanges } from './noted-alerts.ts'
import type { Notice, NoticeChange, NoticeItem } from './notice.ts'
import type { SendNotice } from './way.ts'

/** Notes and sends what has changed. Rejects while the database is away. */
export type Notify = (alerts: Alert[]) => Promise<void>

type Deps = {
  db: Database
  send: SendNotice
  /** The name of this node: its machine and its data directory. */
  machine: string
  apiUrl: () => string | undefined
  nowMs: () => number
  log: Logger
}

type Unnoted = { said: Said; item: NoticeItem }

/**
 * Remembers nothing but what a full disk keeps from being noted: that is sent all the same, by this node
 * alone.
 */
export function createNotify({ db, send, machine, apiUrl, nowMs, log }: Deps): Notify {
  const unnoted = new Map<string, Unnoted>()

  async function sendAll(items: NoticeItem[]): Promise<boolean> {
    const notice: Notice = { items, sender: machine, url: apiUrl() }
    const failure = await send(notice, nowMs())
    if (failure !== undefined) log.warn({ failure }, 'A notice to the operator was not sent.')
    return failure === undefined
  }

  async function sendUnnoted(alerts: Alert[]): Promise<void> {
    const items = alerts.flatMap((alert): NoticeItem[] => {
      const key = keyOf(alert)
      const said = saidNow(unnoted.get(key)?.said, nowMs())
      if (!said) return []
      const { name, place, figure, unit, message, isOfMachine } = alert
      const where = { name, place, machine: isOfMachine ? machine : '' }
      const item = { ...where, change: 'begins', figure, unit, message, saidMs: said.saidMs } as const
      unnoted.set(key, { said, item })
      return [item]
    })
    if (items.length > 0) await sendAll(items)
  }

  /** Since they can be noted again, the rows of what is still there take over. */
  async function endUnnoted(alerts: Alert[]): Promise<void> {
    const present = new Set(alerts.map(keyOf))
    const over = [...unnoted].filter(([key]) => !present.has(key))
    unnoted.clear()
    if (over.length > 0) await sendAll(over.map(([, { item }]) => ({ ...item, change: 'ends' })))
  }

  return async (alerts) => {
    try {
      await noteAlerts(db, alerts, { machine, nowMs: nowMs() })
      await endUnnoted(alerts)
      const claimed = await claimChanges(db, nowMs())
      if (claimed.length === 0) return
      const isSent = await sendAll(claimed.map(itemOf))
      await settleChanges(db, claimed, isSent, nowMs())
    } catch (error) {
      if (!isDiskFull(error)) throw error
      await sendUnnoted(alerts.filter(({ name }) => name === 'disk_full'))
    }
  }
}

function keyOf({ name, place }: Alert): string {
  return `${name} ${place}`
}

const changes: NoticeChange[] = ['begins', 'lasts', 'ends']

function itemOf({ change, name, place, machine, alert, saidMs }: NotedRow): NoticeItem {
  const known = changes.find((each) => each === change) ?? 'lasts'
  return { change: known, name, place, machine, ...alert, saidMs }
}
