/** The bounds of the connections and bytes of teams. */
import { expect, it } from 'vitest'
import { createShares } from '../../../../src/platform/servers/way-out/shares.ts'

const bounds = {
  ...{ perTeam: 2, inAll: 3 },
  ...{ connections: { perSecond: 10, burst: 3 }, bytes: { perSecond: 1_000, burst: 5_000 } },
}

it('a team has so many connections, whichever of its servers opens them, and the node so many in all', () => {
  const shares = createShares(() => 0, bounds)
  const [first, second, other] = [shares.of('a'), shares.of('a'), shares.of('b')]
  const giveBack = first.take()
  expect(second.take()).toBeTypeOf('function')
  expect(first.take()).toBe('crowded')
  expect(other.take()).toBeTypeOf('function')
  expect(other.take()).toBe('full')
  if (typeof giveBack !== 'function') throw new Error('There was no place.')
  giveBack()
  giveBack()
  expect(first.take()).toBeTypeOf('function')
  expect(second.take()).toBe('crowded')
})

it('bytes beyond those at once wait as the rate says, for all connections of a team together', () => {
  let nowMs = 0
  const shares = createShares(() => nowMs, bounds)
  const [first, second, other] = [shares.of('a'), shares.of('a'), shares.of('b')]
  expect(first.spend(5_000)).toBe(0)
  expect(first.spend(500)).toBe(500)
  expect(second.spend(1_000)).toBe(1_500)
  expect(other.spend(5_000)).toBe(0)
  nowMs = 1_500
  expect(second.spend(0)).toBe(0)
  nowMs = 60_000
  expect(first.spend(5_000)).toBe(0)
  expect(first.spend(1)).toBe(1)
})

it('connections that a team begins wait, too', () => {
  const shares = createShares(() => 0, bounds)
  const [first, second] = [shares.of('a'), shares.of('a')]
  const waits = [first, second, first, second, first].map((share) => share.begin())
  expect(waits).toEqual([0, 0, 0, 100, 200])
})

it('what a team owes is forgotten only with the last of its servers', () => {
  const shares = createShares(() => 0, bounds)
  const [first, second] = [shares.of('a'), shares.of('a')]
  first.spend(6_000)
  first.leave()
  expect(shares.of('a').spend(0)).toBe(1_000)
  second.leave()
})
