/** A backup whose hold on the files was lost is no backup. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whileHeld } from '../../../src/operate/backup/while-held.ts'

const never = new AbortController().signal

let isHeld: boolean
let calls: string[]

/** A hold that is lost when `isHeld` becomes false. */
const hold = {
  async begin() {
    calls.push('begin')
  },
  async extend() {
    calls.push('extend')
    return isHeld
  },
}

beforeEach(() => {
  isHeld = true
  calls = []
  vi.useFakeTimers()
})

afterEach(() => void vi.useRealTimers())

it('holds before the work begins, and as long as it lasts', async () => {
  const result = await whileHeld(hold, never, async () => {
    calls.push('work')
    await vi.advanceTimersByTimeAsync(31_000)
    return 'done'
  })
  expect(result).toBe('done')
  expect(calls).toEqual(['begin', 'work', 'extend', 'extend', 'extend'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toHaveLength(5)
})

it('aborts the work when the hold is lost', async () => {
  const working = whileHeld(hold, never, async (signal) => {
    isHeld = false
    await vi.advanceTimersByTimeAsync(20_000)
    signal.throwIfAborted()
  })
  await expect(working).rejects.toThrow('Run the backup again')
})

it('fails if the hold was lost just before the end', async () => {
  const working = whileHeld(hold, never, async () => {
    isHeld = false
    return 'done'
  })
  await expect(working).rejects.toThrow('Run the backup again')
})

it('outlasts an extension that fails, unless that is the last', async () => {
  let fails = 1
  const shaky = {
    ...hold,
    async extend() {
      if (fails-- > 0) throw new Error('restarting')
      return true
    },
  }
  const work = async () => {
    await vi.advanceTimersByTimeAsync(20_000)
    return 'done'
  }
  expect(await whileHeld(shaky, never, work)).toBe('done')
  fails = 2
  await expect(whileHeld(shaky, never, work)).rejects.toThrow('restarting')
})

it('aborts the work with its own signal', async () => {
  const stop = new AbortController()
  const working = whileHeld(hold, stop.signal, async (signal) => {
    stop.abort(new Error('interrupted'))
    signal.throwIfAborted()
  })
  await expect(working).rejects.toThrow('interrupted')
})
