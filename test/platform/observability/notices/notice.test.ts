/** The texts of notices. */
import { expect, it } from 'vitest'
import {
  bodyOf,
  type NoticeItem,
  noticeId,
  subjectOf,
  textOf,
} from '../../../../src/platform/observability/notices/notice.ts'

const full: NoticeItem = {
  change: 'begins',
  name: 'disk_full',
  place: '/data',
  machine: 'host:/data',
  figure: 0,
  unit: 'free_bytes',
  message: 'The disk of /data is full.',
  saidMs: 1,
}

const over: NoticeItem = {
  ...full,
  change: 'ends',
  name: 'certificate_expired',
  place: 'www.example.com',
  machine: '',
}

const noticeOf = (...items: NoticeItem[]) => ({ items, sender: 'host:/data', url: 'https://svc.example.com' })

it('a mail has what began, and what is over', () => {
  const notice = noticeOf(over, full)
  expect(subjectOf(notice)).toBe('svc: 2 alerts: certificate expired, disk full')
  expect(textOf(notice)).toBe(`New:

The disk of /data is full.
(disk_full of /data on host:/data)

Over:

certificate_expired of www.example.com

-- 
Sent by host:/data of https://svc.example.com, as SVC_OPERATOR_NOTICE says.
`)
})

it('a subject has no place, which a team may have chosen', () => {
  expect(subjectOf(noticeOf(over))).toBe('svc: certificate expired is over')
  expect(subjectOf(noticeOf(full))).toBe('svc: disk full')
})

it('a body is JSON, with the same id however often the same is sent', () => {
  const { saidMs, ...alert } = full
  expect(JSON.parse(bodyOf(noticeOf(full), 5))).toEqual({
    id: noticeId(noticeOf(full)),
    type: 'operator.alerts',
    created_ms: 5,
    sender: 'host:/data',
    url: 'https://svc.example.com',
    alerts: [alert],
  })
  expect(noticeId(noticeOf(full, over))).toBe(noticeId(noticeOf(over, full)))
  expect(noticeId(noticeOf({ ...full, saidMs: 2 }))).not.toBe(noticeId(noticeOf(full)))
})
