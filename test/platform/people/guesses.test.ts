import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { guess } from '../../../src/platform/people/guesses.ts'

const newUser = () => newId('user', 1)
const limited = { reason: 'rate_limited' }

function tryAs(userId: string, address: string, { right = false, nowMs = 1_000 } = {}): Promise<boolean> {
  return guess({ userId, address, isRight: async () => right }, nowMs)
}

describe('wrong guesses', () => {
  it('are five a minute for a person, from wherever', async () => {
    const userId = newUser()
    for (let i = 0; i < 5; i += 1) expect(await tryAs(userId, `192.0.2.${i}`)).toBe(false)
    await expect(tryAs(userId, '198.51.100.1', { right: true })).rejects.toMatchObject({
      ...limited,
      retryAfterMs: 60_000,
    })
    await expect(tryAs(userId, '198.51.100.1', { nowMs: 60_999 })).rejects.toMatchObject(limited)
    expect(await tryAs(userId, '198.51.100.1', { nowMs: 61_000 })).toBe(false)
  })

  it('are thirty a minute from an address, for whomever', async () => {
    const address = '2001:db8:5:6::1'
    for (let i = 0; i < 30; i += 1) expect(await tryAs(newUser(), address)).toBe(false)
    await expect(tryAs(newUser(), '2001:db8:5:6:7::1')).rejects.toMatchObject(limited)
    expect(await tryAs(newUser(), '2001:db8:5:7::1')).toBe(false)
  })

  it('count while they are looked at', async () => {
    const userId = newUser()
    const tries = Array.from({ length: 6 }, () => tryAs(userId, '203.0.113.1'))
    const settled = await Promise.allSettled(tries)
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })
})

describe('what does not count', () => {
  it('is a right guess', async () => {
    const userId = newUser()
    for (let i = 0; i < 9; i += 1) expect(await tryAs(userId, '203.0.113.2', { right: true })).toBe(true)
  })

  it('is one that could not be looked at', async () => {
    const userId = newUser()
    const isRight = () => Promise.reject(new Error('busy'))
    for (let i = 0; i < 9; i += 1) {
      await expect(guess({ userId, address: '203.0.113.3', isRight }, 1_000)).rejects.toThrow('busy')
    }
  })
})
