import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFreshCache, TooManyLoadsError } from '../../../src/stores/cache/fresh-cache.ts'
import { staleWhileAway } from '../../../src/stores/cache/stale-while-away.ts'

class Away extends Error {}

type Store = (key: string) => Promise<string>

const up: Store = async (key) => `${key} now`
const away: Store = () => Promise.reject(new Away())
const hanging: Store = () => new Promise(() => {})

function open(maxStaleMs = 60_000) {
  const state = { store: up, loads: 0 }
  const now = () => Date.now()
  const cache = createFreshCache<string>({
    load: (key) => {
      state.loads += 1
      return state.store(key)
    },
    maxAgeMs: 900,
    maxEntries: 10,
    now,
  })
  const isAway = (error: unknown) => error instanceof Away || error instanceof TooManyLoadsError
  return { state, cache, get: staleWhileAway(cache, { maxStaleMs, isAway, now }) }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('while the store is away', () => {
  it.each([
    ['fails', away],
    ['does not respond', hanging],
  ])('(it %s) a known fact goes on being used, and an unknown one is not made up', async (_, store) => {
    const { state, get } = open()
    await get('a')
    state.store = store
    await vi.advanceTimersByTimeAsync(1_000)
    const first = get('a')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await first).toBe('a now')
    // At once from now on.
    expect(await get('a')).toBe('a now')
    if (store === away) await expect(get('b')).rejects.toThrow(Away)
  })

  it('the store is tried four times a second, however many ask', async () => {
    const { state, get } = open()
    await get('a')
    state.store = away
    await vi.advanceTimersByTimeAsync(1_000)
    await get('a')
    state.loads = 0
    for (let i = 0; i < 100; i += 1) {
      await get('a')
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(state.loads).toBeGreaterThan(2)
    expect(state.loads).toBeLessThanOrEqual(5)
  })

  it('a fact that was forgotten is not used any more', async () => {
    const { state, cache, get } = open()
    await get('a')
    state.store = hanging
    await vi.advanceTimersByTimeAsync(1_000)
    const waiting = get('a')
    await vi.advanceTimersByTimeAsync(500)
    cache.forget('a')
    state.store = away
    const refused = expect(waiting).rejects.toMatchObject({ reason: 'store_unavailable' })
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    await expect(get('a')).rejects.toThrow(Away)
  })

  it('a fact of which changes may have been missed is used', async () => {
    const { state, cache, get } = open()
    await get('a')
    cache.expireAll()
    expect(cache.peek('a')).toBeUndefined()
    state.store = away
    expect(await get('a')).toBe('a now')
  })

  it('a fact is used for as long as was set', async () => {
    const { state, get } = open(5_000)
    await get('a')
    state.store = away
    await vi.advanceTimersByTimeAsync(4_900)
    expect(await get('a')).toBe('a now')
    await vi.advanceTimersByTimeAsync(200)
    await expect(get('a')).rejects.toThrow(Away)
  })

  it('nothing stale is used where that is off', async () => {
    const { state, get } = open(0)
    await get('a')
    state.store = away
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(get('a')).rejects.toThrow(Away)
  })
})

it('once the store is back, facts are fresh within a quarter of a second', async () => {
  const { state, get } = open()
  await get('a')
  state.store = away
  await vi.advanceTimersByTimeAsync(1_000)
  await get('a')
  state.store = async () => 'new'
  await vi.advanceTimersByTimeAsync(250)
  await get('a')
  await vi.advanceTimersByTimeAsync(0)
  expect(await get('a')).toBe('new')
})

it('another error is passed on', async () => {
  const { state, get } = open()
  await get('a')
  state.store = () => Promise.reject(new Error('a fault'))
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(get('a')).rejects.toThrow('a fault')
})
