/** What a stream has yet to send. */
import { expect, it } from 'vitest'
import { createInbox } from '../../../../src/stores/events/live/inbox.ts'
import type { LiveEvent } from '../../../../src/stores/events/live/messages.ts'

const eventsOf = (count: number): LiveEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `evt_${index}`,
    message: { type: 'team.updated', project: null, deployment: null, domain: null, created_ms: index },
  }))

it('gives events once, in their order', () => {
  const inbox = createInbox()
  inbox.put(eventsOf(3))
  expect(inbox.take()).toEqual({ missed: false, events: eventsOf(3) })
  expect(inbox.take()).toEqual({ missed: false, events: [] })
})

it('holds 200 for a slow reader, and replaces more by the message that it missed some', () => {
  const inbox = createInbox()
  inbox.put(eventsOf(150))
  inbox.put(eventsOf(50))
  inbox.put(eventsOf(1))
  expect(inbox.take()).toEqual({ missed: true, events: [] })
  inbox.put(eventsOf(2))
  expect(inbox.take()).toEqual({ missed: false, events: eventsOf(2) })
})

it('keeps what comes after that', () => {
  const inbox = createInbox()
  inbox.miss()
  inbox.put(eventsOf(2))
  expect(inbox.take()).toEqual({ missed: true, events: eventsOf(2) })
})

it('waits until there is something, also if that was before', async () => {
  const inbox = createInbox()
  inbox.put(eventsOf(1))
  await inbox.wait()
  inbox.take()
  const order: string[] = []
  const waiting = inbox.wait().then(() => order.push('woken'))
  await Promise.resolve()
  order.push('put')
  inbox.wake()
  await waiting
  expect(order).toEqual(['put', 'woken'])
})
