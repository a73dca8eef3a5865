/** WebSockets that may be closed where others need the room. */
import { expect, it } from 'vitest'
import { createHeldSockets } from '../../../src/platform/servers/held-sockets.ts'

const hourMs = 60 * 60_000

it('are old after an hour, each by itself, and none once they have ended', async () => {
  const clock = { nowMs: 1_000 }
  const sockets = createHeldSockets(() => clock.nowMs)
  const [first, second] = [sockets.create(), sockets.create()]
  const goes = first.hold()
  clock.nowMs += hourMs / 2
  second.hold()
  expect(sockets.old()).toBe(0)
  clock.nowMs += hourMs / 2
  expect(sockets.old()).toBe(1)
  clock.nowMs += hourMs / 2
  expect(sockets.old()).toBe(2)
  first.end()
  expect(sockets.old()).toBe(1)
  expect(await goes).toBe(false)
})

it('have to go together, and requests that are none stay', async () => {
  const sockets = createHeldSockets(() => 0)
  sockets.create()
  const goes = [sockets.create().hold(), sockets.create().hold()]
  sockets.close()
  expect(await Promise.all(goes)).toEqual([true, true])
})
