import { describe, expect, it } from 'vitest'
import { createFreshCache } from '../../../src/stores/cache/fresh-cache.ts'

/** A cache with a clock of its own, whose loads the test settles. */
function newCache({ maxAgeMs = 900, maxEntries = 100, maxLoads = 100 } = {}) {
  const clock = { ms: 10_000 }
  const loads: {
    key: string
    answer: (value: string) => Promise<void>
    fail: (error: Error) => Promise<void>
  }[] = []
  const cache = createFreshCache<string>({
    load: (key) =>
      new Promise((resolve, reject) => {
        loads.push({
          key,
          answer: (value) => {
            resolve(value)
            return settled()
          },
          fail: (error) => {
            reject(error)
            return settled()
          },
        })
      }),
    maxAgeMs,
    maxEntries,
    maxLoads,
    now: () => clock.ms,
  })
  /** The last load that was started. */
  const last = () => loads.at(-1) ?? expect.unreachable('nothing was loaded')
  async function fill(key: string, value: string): Promise<void> {
    const got = cache.get(key)
    await last().answer(value)
    expect(await got).toBe(value)
  }
  return { cache, clock, loads, last, fill }
}

/** Lets everything that waits for a promise continue. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a value', () => {
  it('is loaded at its first use, and reused without a load', async () => {
    const { cache, loads, fill } = newCache()
    expect(cache.peek('a')).toBeUndefined()
    await fill('a', 'one')
    expect(cache.peek('a')?.value).toBe('one')
    expect(await cache.get('a')).toBe('one')
    expect(loads).toHaveLength(1)
  })

  it('is loaded once for concurrent callers', async () => {
    const { cache, loads, last } = newCache()
    const results = [cache.get('a'), cache.get('a'), cache.get('a')]
    await last().answer('one')
    expect(await Promise.all(results)).toEqual(['one', 'one', 'one'])
    expect(loads).toHaveLength(1)
  })

  it('is not taken from a load that started too long ago, nor overwritten by its result', async () => {
    const { cache, clock, loads } = newCache()
    const early = cache.get('a')
    clock.ms += 901
    const late = cache.get('a')
    expect(loads).toHaveLength(2)
    await loads[1]?.answer('new')
    await loads[0]?.answer('old')
    expect([await early, await late]).toEqual(['old', 'new'])
    expect(cache.peek('a')?.value).toBe('new')
  })

  it('is not that of another key', async () => {
    const { cache, fill } = newCache()
    await fill('a', 'one')
    expect(cache.peek('b')).toBeUndefined()
  })

  it('is cached when there is none, too', async () => {
    let loaded = 0
    const cache = createFreshCache<string | undefined>({
      load: async () => {
        loaded += 1
        return undefined
      },
      maxAgeMs: 900,
      maxEntries: 10,
    })
    expect(await cache.get('a')).toBeUndefined()
    expect(cache.peek('a')).toEqual(expect.objectContaining({ value: undefined }))
    await cache.get('a')
    expect(loaded).toBe(1)
  })

  it('stays however many keys of nothing are read, which are forgotten instead', async () => {
    const known = new Map([['a', 'one']])
    const cache = createFreshCache<string | undefined>({
      load: async (key) => known.get(key),
      maxAgeMs: 900,
      maxEntries: 10,
    })
    await cache.get('a')
    for (let i = 0; i < 100; i += 1) await cache.get(`made up ${i}`)
    expect(cache.peek('a')?.value).toBe('one')
    expect(cache.stats().entries).toBe(2)
    // What is gone, or new, is where it belongs.
    known.delete('a')
    known.set('made up 99', 'two')
    for (const key of ['a', 'made up 99']) cache.forget(key)
    await cache.get('made up 99')
    await cache.get('a')
    expect([cache.last('a')?.value, cache.last('made up 99')?.value]).toEqual([undefined, 'two'])
    expect(cache.forgetWhere(() => true)).toHaveLength(2)
    expect(cache.stats().entries).toBe(0)
  })

  it('is used until its maximum age, counted from the start of its load', async () => {
    const { cache, clock, loads, last } = newCache()
    const got = cache.get('a')
    clock.ms += 300
    await last().answer('one')
    await got
    clock.ms += 600
    expect(cache.peek('a')?.value).toBe('one')
    await last().answer('refreshed, but not in time for the look before')
    clock.ms += 901
    expect(cache.peek('a')).toBeUndefined()
    const again = cache.get('a')
    await last().answer('two')
    expect(await again).toBe('two')
    expect(loads).toHaveLength(3)
  })
})

describe('a value in use', () => {
  it('is refreshed in the background from half its age on, by one load', async () => {
    const { cache, clock, loads, last, fill } = newCache()
    await fill('a', 'one')
    clock.ms += 450
    cache.peek('a')
    expect(loads).toHaveLength(1)
    clock.ms += 1
    for (let i = 0; i < 5; i += 1) expect(cache.peek('a')?.value).toBe('one')
    expect(loads).toHaveLength(2)
    await last().answer('two')
    expect(cache.peek('a')?.value).toBe('two')
    clock.ms += 450
    expect(cache.peek('a')?.value).toBe('two')
  })

  it('is refreshed again when a refresh fails, and never used beyond its age', async () => {
    const { cache, clock, loads, last, fill } = newCache()
    await fill('a', 'one')
    clock.ms += 500
    cache.peek('a')
    await last().fail(new Error('away'))
    expect(cache.peek('a')?.value).toBe('one')
    expect(loads).toHaveLength(3)
    await last().fail(new Error('away'))
    clock.ms += 401
    expect(cache.peek('a')).toBeUndefined()
  })
})

describe('a load that fails', () => {
  it('rejects for all who wait for it, and is not cached', async () => {
    const { cache, last } = newCache()
    const results = [cache.get('a'), cache.get('a')].map((each) => expect(each).rejects.toThrow('away'))
    await last().fail(new Error('away'))
    await Promise.all(results)
    const again = cache.get('a')
    await last().answer('one')
    expect(await again).toBe('one')
  })
})

describe('an invalidated value', () => {
  it('is not used any more, and other values are', async () => {
    const { cache, fill } = newCache()
    await fill('a', 'one')
    await fill('b', 'two')
    cache.forget('a')
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')?.value).toBe('two')
    cache.forget('never there')
  })

  it('may be selected by its value', async () => {
    const { cache, fill } = newCache()
    await fill('a', 'one')
    await fill('b', 'two')
    await fill('c', 'one')
    cache.forgetWhere((value) => value === 'one')
    expect(['a', 'b', 'c'].map((key) => cache.peek(key)?.value)).toEqual([undefined, 'two', undefined])
  })

  it('may be selected by its key', async () => {
    const { cache, fill } = newCache()
    await fill('a', 'one')
    await fill('b', 'one')
    cache.forgetWhere((_, key) => key === 'a')
    expect(['a', 'b'].map((key) => cache.peek(key)?.value)).toEqual([undefined, 'one'])
  })

  it('may be everything', async () => {
    const { cache, fill } = newCache()
    await fill('a', 'one')
    cache.forgetAll()
    expect(cache.peek('a')).toBeUndefined()
  })

  it.each(['forget', 'forgetWhere', 'forgetAll'] as const)(
    'does not return by a load that started before: %s',
    async (how) => {
      const { cache, loads } = newCache()
      const before = cache.get('a')
      if (how === 'forget') cache.forget('a')
      else if (how === 'forgetWhere') cache.forgetWhere(() => true)
      else cache.forgetAll()
      const after = cache.get('a')
      expect(loads).toHaveLength(2)
      await loads[1]?.answer('new')
      await loads[0]?.answer('old')
      expect(await before).toBe('old')
      expect(await after).toBe('new')
      expect(cache.peek('a')?.value).toBe('new')
    },
  )

  it('does not return by a refresh that started before', async () => {
    const { cache, clock, loads, fill } = newCache()
    await fill('a', 'one')
    clock.ms += 500
    cache.peek('a')
    cache.forget('a')
    await loads[1]?.answer('one')
    expect(cache.peek('a')).toBeUndefined()
  })
})

it('keeps no more values than its limit', async () => {
  const { cache, fill } = newCache({ maxEntries: 2 })
  await fill('a', 'one')
  await fill('b', 'two')
  await fill('c', 'three')
  expect(['a', 'b', 'c'].map((key) => cache.peek(key)?.value)).toEqual([undefined, 'two', 'three'])
})

describe('with the maximum number of loads under way', () => {
  it('unknown values are refused, until one has ended', async () => {
    const { cache, loads } = newCache({ maxLoads: 2 })
    const first = cache.get('a')
    void cache.get('b')
    await expect(cache.get('c')).rejects.toMatchObject({ reason: 'store_unavailable' })
    expect(loads).toHaveLength(2)
    await loads[0]?.answer('one')
    expect(await first).toBe('one')
    const third = cache.get('c')
    await loads[2]?.answer('three')
    expect(await third).toBe('three')
  })

  it('a failed load has ended, too', async () => {
    const { cache, last } = newCache({ maxLoads: 1 })
    const failing = expect(cache.get('a')).rejects.toThrow('away')
    await last().fail(new Error('away'))
    await failing
    const next = cache.get('b')
    await last().answer('two')
    expect(await next).toBe('two')
  })

  it('a value that is being loaded is awaited, a cached one is used and refreshed', async () => {
    const { cache, clock, loads, last, fill } = newCache({ maxLoads: 1 })
    await fill('known', 'one')
    clock.ms += 500
    const results = [cache.get('a'), cache.get('a')]
    const { answer } = last()
    expect(await cache.get('known')).toBe('one')
    expect(loads.map(({ key }) => key)).toEqual(['known', 'a', 'known'])
    await answer('two')
    expect(await Promise.all(results)).toEqual(['two', 'two'])
  })

  it('loads from before an invalidation still count', async () => {
    const { cache } = newCache({ maxLoads: 1 })
    void cache.get('a')
    cache.forgetAll()
    await expect(cache.get('b')).rejects.toMatchObject({ reason: 'store_unavailable' })
  })
})
