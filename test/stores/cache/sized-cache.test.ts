/** The cache of values that hardly ever change. */
import { describe, expect, it } from 'vitest'
import { createSizedCache } from '../../../src/stores/cache/sized-cache.ts'

const load = (size: number) => async () => Buffer.alloc(size)
const cacheOf = (maxSize: number) => createSizedCache<string, Buffer>((bytes) => bytes.length, maxSize)

it('loads once for concurrent requests', async () => {
  const cache = cacheOf(100)
  let loads = 0
  const slow = async () => {
    loads += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
    return Buffer.alloc(1)
  }
  const all = await Promise.all([cache.get('a', slow), cache.get('a', slow), cache.get('a', slow)])
  expect(new Set(all).size).toBe(1)
  expect(loads).toBe(1)
  expect(cache.peek('a')).toBe(all[0])
})

it('evicts the least recently used', async () => {
  const cache = cacheOf(100)
  for (const key of ['a', 'b']) await cache.get(key, load(50))
  cache.peek('a')
  await cache.get('c', load(50))
  expect(['a', 'b', 'c'].filter((key) => cache.peek(key))).toEqual(['a', 'c'])
})

it('keeps empty values, and values larger than its whole size', async () => {
  const cache = cacheOf(100)
  await cache.get('empty', load(0))
  expect(cache.peek('empty')).toBeDefined()
  await cache.get('large', load(1_000))
  expect(cache.peek('large')).toBeDefined()
  expect(cache.peek('empty')).toBeUndefined()
})

it('keeps nothing of a failed load', async () => {
  const cache = cacheOf(100)
  const failing = cache.get('a', () => Promise.reject(new Error('away')))
  await expect(failing).rejects.toThrow('away')
  expect(await cache.get('a', load(1))).toHaveLength(1)
})

describe('renewing', () => {
  it('returns the old value until the new one has arrived', async () => {
    const cache = cacheOf(100)
    const old = await cache.get('a', load(1))
    const renewed = cache.renew('a', load(2))
    expect(cache.peek('a')).toBe(old)
    expect(await cache.get('a', load(3))).toBe(old)
    expect(await renewed).toHaveLength(2)
    expect(cache.peek('a')).toHaveLength(2)
  })

  it('keeps the old value when it fails', async () => {
    const cache = cacheOf(100)
    const old = await cache.get('a', load(1))
    await expect(cache.renew('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(cache.peek('a')).toBe(old)
  })
})

it('evicts the owner’s oldest entries, and keeps those of others', async () => {
  type Owned = { owner: string; size: number }
  const cache = createSizedCache<string, Owned>(({ size }) => size, 100, {
    of: ({ owner }) => owner,
    maxSize: 40,
  })
  const kept = (keys: string[]) => keys.filter((key) => cache.peek(key))
  const set = (key: string, owner: string, size: number) => cache.renew(key, async () => ({ owner, size }))
  await set('other', 'b', 30)
  for (const key of ['1', '2', '3', '4']) await set(key, 'a', 10)
  await set('1', 'a', 10)
  await set('5', 'a', 20)
  expect(kept(['other', '1', '2', '3', '4', '5'])).toEqual(['other', '1', '4', '5'])
  // A value of more than the owner's share is alone in it.
  await set('6', 'a', 50)
  expect(kept(['other', '1', '4', '5', '6'])).toEqual(['other', '6'])
  await set('7', 'a', 10)
  expect(kept(['other', '6', '7'])).toEqual(['other', '7'])
})
