/** A notice to the operator, as a mail and as the body of a webhook. */
import { createHash } from 'node:crypto'
import { cut } from '../../../lib/cut.ts'

export type NoticeChange = 'begins' | 'lasts' | 'ends'

/** A change of an alert; `machine` is empty for one of the installation. */
export type NoticeItem = {
  change: NoticeChange
  name: string
  place: string
  machine: string
  figure: number | null
  unit: string | null
  message: string
  /** When it was said to have begun, or to last. */
  saidMs: number
}

/** `sender` is the machine that sends it, `url` the API's address where that is known. */
export type Notice = { items: NoticeItem[]; sender: string; url: string | undefined }

const headings: Record<NoticeChange, string> = {
  begins: 'New',
  lasts: 'Still there',
  ends: 'Over',
}

const order: NoticeChange[] = ['begins', 'lasts', 'ends']

/** The longest sentence in a mail. */
const maxMessage = 1_000

/** One line: names of alerts, and no place, which a team may have chosen. */
export function subjectOf({ items }: Notice): string {
  const [first] = items
  if (items.length === 1 && first)
    return `svc: ${first.name.replaceAll('_', ' ')}${first.change === 'ends' ? ' is over' : ''}`
  const names = [...new Set(items.map(({ name }) => name.replaceAll('_', ' ')))]
  return `svc: ${items.length} alerts: ${names.join(', ')}`
}

export function textOf({ items, sender, url }: Notice): string {
  const parts = order.flatMap((change) => {
    const found = items.filter((item) => item.change === change)
    return found.length === 0 ? [] : [`${headings[change]}:\n\n${found.map(paragraphOf).join('\n\n')}`]
  })
  const place = url === undefined ? '' : ` of ${url}`
  return `${parts.join('\n\n')}\n\n-- \nSent by ${sender}${place}, as SVC_OPERATOR_NOTICE says.\n`
}

function paragraphOf({ change, name, place, machine, message }: NoticeItem): string {
  const where = machine === '' ? place : `${place} on ${machine}`
  return change === 'ends' ? `${name} of ${where}` : `${cut(message, maxMessage)}\n(${name} of ${where})`
}

/** The same for the same changes, however often they are sent. */
export function noticeId({ items }: Notice): string {
  const changes = items.map(({ change, name, place, machine, saidMs }) => [
    change,
    name,
    place,
    machine,
    saidMs,
  ])
  return `ntc_${createHash('sha256').update(JSON.stringify(changes.sort())).digest('hex').slice(0, 32)}`
}

/** JSON, with times in milliseconds. */
export function bodyOf(notice: Notice, nowMs: number): string {
  const { items, sender, url } = notice
  return JSON.stringify({
    id: noticeId(notice),
    type: 'operator.alerts',
    created_ms: nowMs,
    sender,
    ...(url !== undefined && { url }),
    alerts: items.map(({ saidMs, ...item }) => item),
  })
}
