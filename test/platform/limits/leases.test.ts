/** Leases of what a node has little of. */
import { describe, expect, it } from 'vitest'
import { createLeaseKeeper, leasesOf, type OfferedTo } from '../../../src/platform/limits/leases.ts'
import { remoteKeeper, serveLeases } from '../../../src/platform/limits/serve-leases.ts'

/** What each of the leases is by now, in the order in which they were taken. */
function watch(keeper = createLeaseKeeper({ most: 3, ofTeam: 2, waiting: 3 })) {
  const states = new Map<string, string>()
  return {
    keeper,
    take(id: string, team = id.slice(0, 1)) {
      states.set(id, 'waits')
      void keeper.take(id, team).then((isTaken) => states.set(id, isTaken ? 'held' : 'refused'))
    },
    offer(id: string, to: OfferedTo = 'everybody') {
      void keeper.offer(id, to).then((isWanted) => states.set(id, isWanted ? 'wanted' : 'kept'))
    },
    async states() {
      await new Promise(setImmediate)
      return Object.fromEntries(states)
    },
  }
}

describe('leases', () => {
  it('are for a team until it has as many as a team may, and for all until there are none', async () => {
    const { take, states } = watch()
    for (const id of ['a1', 'a2', 'a3', 'b1', 'b2']) take(id)
    expect(await states()).toEqual({ a1: 'held', a2: 'held', a3: 'waits', b1: 'held', b2: 'waits' })
  })

  it('go to the team with the fewest, whoever waited longer', async () => {
    const { keeper, take, states } = watch()
    for (const id of ['a1', 'a2', 'b1', 'a3', 'b2', 'c1']) take(id)
    keeper.end('a1')
    expect(await states()).toMatchObject({ c1: 'held', a3: 'waits', b2: 'waits' })
    keeper.end('c1')
    expect(await states()).toMatchObject({ a3: 'held', b2: 'waits' })
  })

  it('are refused beyond as many as a team may wait for, and after the longest wait', async () => {
    const { take, states } = watch()
    for (const id of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) take(id)
    expect(await states()).toMatchObject({ a5: 'waits', a6: 'refused' })
    const short = watch(createLeaseKeeper({ most: 1, ofTeam: 1, waiting: 3, waitMs: 1 }))
    short.take('a1')
    short.take('b1')
    await expect.poll(short.states).toEqual({ a1: 'held', b1: 'refused' })
  })

  it('that are ended twice, or while they are waited for, count once', async () => {
    const { keeper, take, states } = watch()
    for (const id of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']) take(id)
    keeper.end('b2')
    keeper.end('a1')
    keeper.end('a1')
    expect(await states()).toMatchObject({ b2: 'refused', c1: 'held', c2: 'waits' })
  })
})

describe('an offered lease', () => {
  it('is kept while nobody waits, and wanted as soon as somebody does', async () => {
    const { take, offer, states } = watch()
    for (const id of ['a1', 'b1', 'c1']) take(id)
    await states()
    offer('b1')
    offer('c1')
    expect(await states()).toEqual({ a1: 'held', b1: 'held', c1: 'held' })
    take('d1')
    expect(await states()).toMatchObject({ a1: 'held', b1: 'wanted', c1: 'held', d1: 'waits' })
    take('e1')
    expect(await states()).toMatchObject({ b1: 'wanted', c1: 'wanted' })
  })

  it('goes to who waits for it once it has ended', async () => {
    const { keeper, take, offer, states } = watch()
    for (const id of ['a1', 'b1', 'c1', 'd1']) take(id)
    offer('a1')
    expect(await states()).toMatchObject({ a1: 'wanted', d1: 'waits' })
    keeper.end('a1')
    expect(await states()).toMatchObject({ d1: 'held' })
  })

  it('of another team does not help one that has as many as a team may', async () => {
    const { take, offer, states } = watch()
    for (const id of ['a1', 'a2', 'b1']) take(id)
    await states()
    offer('b1')
    take('a3')
    expect(await states()).toMatchObject({ b1: 'held', a3: 'waits' })
    offer('a2')
    expect(await states()).toMatchObject({ a2: 'wanted' })
  })

  it('to newcomers is for teams that hold none, by one that holds several', async () => {
    const { take, offer, states } = watch()
    for (const id of ['a1', 'a2', 'b1']) take(id)
    await states()
    offer('a1', 'newcomers')
    offer('b1', 'newcomers')
    take('b2')
    expect(await states()).toMatchObject({ a1: 'held', b1: 'held', b2: 'waits' })
    take('c1')
    expect(await states()).toMatchObject({ a1: 'wanted', b1: 'held', c1: 'waits' })
  })

  it('to newcomers becomes one to everybody', async () => {
    const { take, offer, states } = watch()
    for (const id of ['a1', 'a2', 'b1', 'b2']) take(id)
    await states()
    offer('a1', 'newcomers')
    expect(await states()).toMatchObject({ a1: 'held' })
    offer('a1')
    expect(await states()).toMatchObject({ a1: 'wanted' })
  })

  it('is withdrawn', async () => {
    const { keeper, take, offer, states } = watch()
    for (const id of ['a1', 'b1', 'c1']) take(id)
    await states()
    offer('a1')
    keeper.keep('a1')
    take('d1')
    expect(await states()).toMatchObject({ a1: 'kept', d1: 'waits' })
  })
})

describe('a caller', () => {
  it('is refused with a time to come again, and goes away by its signal', async () => {
    const leases = leasesOf(createLeaseKeeper({ most: 1, ofTeam: 1, waiting: 1 }), 'Too many.')
    const never = new AbortController()
    const first = await leases.take('a', never.signal)
    const leaving = new AbortController()
    const second = leases.take('a', leaving.signal)
    await expect(leases.take('a', never.signal)).rejects.toMatchObject({
      reason: 'too_many_waiting',
      message: 'Too many.',
      retryAfterMs: 5_000,
    })
    leaving.abort(new Error('The pusher is gone.'))
    await expect(second).rejects.toThrow('The pusher is gone.')
    first.end()
    await expect(leases.take('a', never.signal)).resolves.toBeDefined()
  })
})

describe('another process', () => {
  it('shares the leases of the first one, which has them back once it ended', async () => {
    const keeper = createLeaseKeeper({ most: 2, ofTeam: 2, waiting: 3 })
    const { release, ...service } = serveLeases({ reading: keeper })
    const there = watch(remoteKeeper(service, 'reading'))
    const here = watch(keeper)
    there.take('a1')
    there.take('a2')
    there.take('b1')
    here.take('c1')
    expect({ ...(await there.states()), ...(await here.states()) }).toEqual({
      a1: 'held',
      a2: 'held',
      b1: 'waits',
      c1: 'waits',
    })
    release()
    here.take('d1')
    expect(await here.states()).toEqual({ c1: 'held', d1: 'held' })
    expect(await service.takeLease({ pool: 'reading', id: 'a4', teamId: 'a' })).toBe(false)
  })
})
