/** Which team's bodies a node holds, and which team waits. */
import { describe, expect, it } from 'vitest'
import { createBodyBudget, type Room } from '../../../src/api/server/http/body-budget.ts'

const kilobyte = 1024
const large = 100 * kilobyte

/** Budget for four large bodies, of which a team may have one at a time. */
const open = (waitMs = 60_000) => createBodyBudget({ totalBytes: 4 * large, maxBodyBytes: large, waitMs })

/** Whether the budget was granted at once. */
function atOnce(room: Room | Promise<Room>): room is Room {
  if (room instanceof Promise) room.catch(() => {})
  return !(room instanceof Promise)
}

function hold(room: Room | Promise<Room>): Room {
  return atOnce(room) ? room : expect.unreachable('there was no room')
}

describe('the budget for bodies', () => {
  it('grants a team its share, while other teams have theirs', async () => {
    const { reserve } = open()
    expect(atOnce(reserve('a', large))).toBe(true)
    expect(atOnce(reserve('a', large))).toBe(false)
    await reserve('b', large)
  })

  it('takes a release only once, and gives it to a waiting body', async () => {
    const { reserve } = open()
    const first = hold(reserve('a', large))
    const second = reserve('a', large)
    const third = reserve('a', large)
    expect([atOnce(second), atOnce(third)]).toEqual([false, false])
    first.release()
    first.release()
    const room = await second
    expect(atOnce(reserve('a', large))).toBe(false)
    room.release()
    await third
  })

  it.each([
    ['a team that has used its share: 429', ['a'], 'too_many_waiting'],
    ['a full node: 503', ['b', 'c', 'd', 'e'], 'store_unavailable'],
  ])('is refused after a wait by %s', async (_, teams, reason) => {
    const { reserve } = open(5)
    for (const team of teams) hold(reserve(team, large))
    await expect(reserve('a', large)).rejects.toMatchObject({ reason, retryAfterMs: 1_000 })
    // Expired waits must leave nothing behind.
    expect(atOnce(reserve('f', large))).toBe(teams.length < 4)
  })

  it('lets 256 bodies of a team wait; the next is refused at once: 429', async () => {
    const { reserve } = open()
    hold(reserve('a', large))
    const waiting = Array.from({ length: 256 }, () => reserve('a', large))
    expect(waiting.map(atOnce)).toEqual(waiting.map(() => false))
    const late = new Promise((resolve) => setImmediate(resolve, 'waits'))
    const refused = Promise.resolve(reserve('a', large)).catch(({ reason }) => reason)
    expect(await Promise.race([refused, late])).toBe('too_many_waiting')
  })

  it('is granted to teams in turn, however many bodies one of them has waiting', async () => {
    const { reserve } = open()
    const rooms = ['w', 'x', 'y', 'z'].map((team) => hold(reserve(team, large)))
    const order: string[] = []
    const wait = (team: string) =>
      Promise.resolve(reserve(team, large)).then((room) => {
        order.push(team)
        room.release()
      })
    const waiting = ['a', 'a', 'a', 'b', 'c'].map(wait)
    rooms[0]?.release()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
  })

  it('is reserved for a large body that waits before later small ones', () => {
    const { reserve } = open()
    const rooms = ['w', 'x', 'y', 'z'].map((team) => hold(reserve(team, 90 * kilobyte)))
    expect(atOnce(reserve('a', large))).toBe(false)
    rooms[0]?.release()
    expect(atOnce(reserve('b', 70 * kilobyte))).toBe(false)
  })

  it('keeps some room for small bodies when large ones hold the rest', () => {
    const { reserve } = open()
    for (const team of ['a', 'b', 'c', 'd']) hold(reserve(team, large))
    expect(atOnce(reserve('a', 10 * kilobyte))).toBe(true)
    expect(atOnce(reserve('a', 10 * kilobyte))).toBe(false)
    expect(atOnce(reserve('e', 10 * kilobyte))).toBe(true)
  })

  it('is small for all anonymous clients together', () => {
    const { reserve } = createBodyBudget({ totalBytes: 64 * 1024 * kilobyte, maxBodyBytes: large, waitMs: 5 })
    const taken = Array.from({ length: 1_000 }, () => atOnce(reserve(undefined, 8 * kilobyte)))
    expect(taken.filter(Boolean)).toHaveLength(144)
    expect(atOnce(reserve('a', 8 * kilobyte))).toBe(true)
  })

  it('is drawn piecewise for a body of unknown length, which is refused in the middle', () => {
    const { reserve } = open()
    const room = hold(reserve('a', 0))
    room.growTo(60 * kilobyte)
    expect(() => room.growTo(large + 60 * kilobyte)).toThrow("Your team's requests hold as much")
    room.release()
    expect(atOnce(reserve('a', large))).toBe(true)
  })
})
