/** The places of requests that are passed on. */
import { expect, it, vi } from 'vitest'
import { createPlaces } from '../../../../src/roles/edge/forward/places.ts'

const bounds = {
  held: { perAddress: 2, perOrigin: 2, perTeam: 3, inAll: 4 },
  waiting: { perAddress: 2, perOrigin: 4, perTeam: 2, inAll: 4 },
  waitMs: 1_000,
}
const holding = (changes: Partial<typeof bounds.held>) => ({
  ...bounds,
  held: { ...bounds.held, ...changes },
})
const forever = new AbortController().signal
/** Each with an address of its own. */
const addresses = Array.from({ length: 100 }, (_, at) => `192.0.2.${at}`)
const asker = (team: string, project = team, origin = 'https://a.example') => ({
  teamId: team,
  projectId: project,
  origin,
  address: addresses.pop() ?? '',
})

/** Whether each of these got a place by now. */
async function states(...all: Promise<unknown>[]) {
  const waits = Symbol()
  await new Promise((resolve) => setImmediate(resolve))
  return Promise.all(
    all.map(async (each) => {
      const got = await Promise.race([each, waits])
      return got === waits ? 'waits' : got ? 'has' : 'none'
    }),
  )
}

it('two to one origin, three of a team, four in all', async () => {
  const places = createPlaces(bounds)
  const take = (...who: Parameters<typeof asker>) => places.take(asker(...who), forever)
  const first = [take('a'), take('a'), take('a')]
  expect(await states(...first)).toEqual(['has', 'has', 'waits'])
  const other = take('a', 'a', 'https://b.example')
  const more = take('a', 'a', 'https://c.example')
  expect(await states(other, more)).toEqual(['has', 'waits'])
  const [last, late] = [take('b'), take('c')]
  expect(await states(last, late)).toEqual(['has', 'waits'])
  ;(await first[0])?.()
  expect(await states(first[2] as Promise<unknown>, more, late)).toEqual(['has', 'waits', 'waits'])
})

it('a part of those to one origin for one visitor', async () => {
  const waiting = { ...bounds.waiting, perAddress: 1 }
  const places = createPlaces({ ...holding({ perAddress: 1 }), waiting })
  const take = (address: string) => places.take({ ...asker('a'), address }, forever)
  const all = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'].map(take)
  expect(await states(...all)).toEqual(['has', 'waits', 'has', 'waits'])
  expect(await states(take('192.0.2.1'))).toEqual(['none'])
})

it('a place is given back once', async () => {
  const places = createPlaces(holding({ perOrigin: 1 }))
  const giveBack = await places.take(asker('a'), forever)
  giveBack?.()
  giveBack?.()
  const [first, second] = [places.take(asker('a'), forever), places.take(asker('a'), forever)]
  expect(await states(first, second)).toEqual(['has', 'waits'])
})

it('as many wait as there may, half of them of one team', async () => {
  const places = createPlaces(holding({ inAll: 1 }))
  const take = (team: string) => places.take(asker(team), forever)
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'd'].map(take)
  expect(await states(...all)).toEqual(['has', 'waits', 'waits', 'none', 'waits', 'waits', 'none'])
})

it('as many wait for one server as may', async () => {
  const waiting = { ...bounds.waiting, perOrigin: 1 }
  const places = createPlaces({ ...holding({ perOrigin: 1 }), waiting })
  const all = ['https://a.example', 'https://b.example'].flatMap((origin) =>
    [1, 2, 3].map(() => places.take(asker('a', 'a', origin), forever)),
  )
  expect(await states(...all)).toEqual(['has', 'waits', 'none', 'has', 'waits', 'none'])
})

it('nobody waits longer than allowed, or after having left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const places = createPlaces(holding({ inAll: 1 }))
    await places.take(asker('a'), forever)
    const left = new AbortController()
    const [leaver, stayer] = [places.take(asker('b'), left.signal), places.take(asker('c'), forever)]
    left.abort()
    expect(await states(leaver, stayer)).toEqual(['none', 'waits'])
    vi.advanceTimersByTime(bounds.waitMs)
    expect(await states(stayer)).toEqual(['none'])
    expect(await states(places.take(asker('d'), left.signal))).toEqual(['none'])
  } finally {
    vi.useRealTimers()
  }
})

it('a process has its share', async () => {
  const places = createPlaces(bounds, 1 / 2)
  const all = ['a', 'a', 'b', 'c'].map((team) => places.take(asker(team), forever))
  expect(await states(...all)).toEqual(['has', 'waits', 'has', 'waits'])
})
