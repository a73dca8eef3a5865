/** Whose bodies a node holds, and whose wait. */
import { describe, expect, it } from 'vitest'
import { createBodyBudget, type Room } from '../../src/server/http/body-budget.ts'

const kilobyte = 1024
const large = 100 * kilobyte

/** Room for four large bodies, of which a team may have one at a time. */
const open = (waitMs = 60_000) => createBodyBudget({ totalBytes: 4 * large, maxBodyBytes: large, waitMs })

/** Whether there was room at once. */
function atOnce(room: Room | Promise<Room>): room is Room {
  if (room instanceof Promise) room.catch(() => {})
  return !(room instanceof Promise)
}

function hold(room: Room | Promise<Room>): Room {
  return atOnce(room) ? room : expect.unreachable('there was no room')
}

describe('room for bodies', () => {
  it('is taken by a team up to its share, while others have theirs', async () => {
    const { reserve } = open()
    expect(atOnce(reserve('a', large))).toBe(true)
    expect(atOnce(reserve('a', large))).toBe(false)
    await reserve('b', large)
  })

  it('is given back once, and then to who waits', async () => {
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
    ['a team that has its share: 429', ['a'], 'too_many_waiting'],
    ['a node that is full: 503', ['b', 'c', 'd', 'e'], 'store_unavailable'],
  ])('is refused after a wait by %s', async (_, teams, reason) => {
    const { reserve } = open(5)
    for (const team of teams) hold(reserve(team, large))
    await expect(reserve('a', large)).rejects.toMatchObject({ reason, retryAfterMs: 1_000 })
    // Those who waited have left nothing behind.
    expect(atOnce(reserve('f', large))).toBe(teams.length < 4)
  })

  it('is waited for by 256 bodies of a team; the next is refused at once: 429', async () => {
    const { reserve } = open()
    hold(reserve('a', large))
    const waiting = Array.from({ length: 256 }, () => reserve('a', large))
    expect(waiting.map(atOnce)).toEqual(waiting.map(() => false))
    const late = new Promise((resolve) => setImmediate(resolve, 'waits'))
    const refused = Promise.resolve(reserve('a', large)).catch(({ reason }) => reason)
    expect(await Promise.race([refused, late])).toBe('too_many_waiting')
  })

  it('is given to teams by turns, however many bodies one of them has waiting', async () => {
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

  it('is kept for a large one that waits rather than given to later ones', () => {
    const { reserve } = open()
    const rooms = ['w', 'x', 'y', 'z'].map((team) => hold(reserve(team, 90 * kilobyte)))
    expect(atOnce(reserve('a', large))).toBe(false)
    rooms[0]?.release()
    expect(atOnce(reserve('b', 70 * kilobyte))).toBe(false)
  })

  it('is there for small ones when larger ones have all the rest', () => {
    const { reserve } = open()
    for (const team of ['a', 'b', 'c', 'd']) hold(reserve(team, large))
    expect(atOnce(reserve('a', 10 * kilobyte))).toBe(true)
    expect(atOnce(reserve('a', 10 * kilobyte))).toBe(false)
    expect(atOnce(reserve('e', 10 * kilobyte))).toBe(true)
  })

  it('is little for all together who have no credential', () => {
    const { reserve } = createBodyBudget({ totalBytes: 64 * 1024 * kilobyte, maxBodyBytes: large, waitMs: 5 })
    const taken = Array.from({ length: 1_000 }, () => atOnce(reserve(undefined, 8 * kilobyte)))
    expect(taken.filter(Boolean)).toHaveLength(144)
    expect(atOnce(reserve('a', 8 * kilobyte))).toBe(true)
  })

  it('is taken by what comes where no length was told, and refused in the middle', () => {
    const { reserve } = open()
    const room = hold(reserve('a', 0))
    room.growTo(60 * kilobyte)
    expect(() => room.growTo(large + 60 * kilobyte)).toThrow("Your team's requests hold as much")
    room.release()
    expect(atOnce(reserve('a', large))).toBe(true)
  })
})
