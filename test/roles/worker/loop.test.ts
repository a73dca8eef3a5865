import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { startLoop, type Task } from '../../../src/roles/worker/loop.ts'
import { eventually } from '../../support/eventually.ts'

function newLog() {
  const lines: string[] = []
  return { lines, log: createLogger({ write: (line) => void lines.push(line) }) }
}

/** A task that records its rounds; each returns `more`. */
function counting(name: string, everyMs: number, more: (round: number) => boolean | Promise<boolean>) {
  const rounds: number[] = []
  const task: Task = {
    name,
    everyMs,
    run: async () => {
      rounds.push(performance.now())
      return more(rounds.length)
    },
  }
  return { task, rounds }
}

const hourMs = 3_600_000

describe('a recurring task', () => {
  it('runs at once, and again in its interval', async () => {
    const often = counting('often', 1, () => false)
    const seldom = counting('seldom', hourMs, () => false)
    const stop = startLoop([often.task, seldom.task], newLog().log)
    await eventually(() => expect(often.rounds.length).toBeGreaterThan(3))
    await stop()
    expect(seldom.rounds).toHaveLength(1)
  })

  it('waits for its first time if it has one', async () => {
    const soon = counting('soon', hourMs, () => false)
    const late = counting('late', 1, () => false)
    const stop = startLoop(
      [
        { ...late.task, firstAfterMs: hourMs },
        { ...soon.task, firstAfterMs: 5 },
      ],
      newLog().log,
    )
    await eventually(() => expect(soon.rounds).toHaveLength(1))
    await stop()
    expect(late.rounds).toHaveLength(0)
  })

  it('continues without a pause as long as it returns that there is more', async () => {
    const { task, rounds } = counting('more', hourMs, (round) => round < 100)
    const stop = startLoop([task], newLog().log)
    await eventually(() => expect(rounds).toHaveLength(100))
    await sleep(20)
    await stop()
    expect(rounds).toHaveLength(100)
  })

  it('never runs twice at a time', async () => {
    let running = 0
    let most = 0
    const { task, rounds } = counting('slow', 0, async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(5)
      running -= 1
      return false
    })
    const stop = startLoop([task], newLog().log)
    await eventually(() => expect(rounds.length).toBeGreaterThan(3))
    await stop()
    expect(most).toBe(1)
  })

  it('is logged by name when it fails, and retried', async () => {
    const { lines, log } = newLog()
    const { task, rounds } = counting('broken', 1, (round) => {
      if (round < 3) throw new Error('The database is away.')
      return false
    })
    const stop = startLoop([task], log)
    await eventually(() => expect(rounds.length).toBeGreaterThan(3))
    await stop()
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      task: 'broken',
      err: { message: 'The database is away.' },
    })
  })

  it('is retried less and less often while it keeps failing', async () => {
    const { task, rounds } = counting('away', 10, (round) => {
      if (round < 6) throw new Error('The database is away.')
      return false
    })
    const stop = startLoop([task], newLog().log)
    await eventually(() => expect(rounds.length).toBeGreaterThan(7))
    await stop()
    const pauses = rounds.slice(1).map((atMs, index) => atMs - (rounds[index] ?? 0))
    expect(pauses[4]).toBeGreaterThan(10 * 2 ** 4 - 5)
    // Once it succeeds, it is back in its interval.
    expect(pauses[6]).toBeLessThan(100)
  })

  it.each([
    ['soon', hourMs, 2],
    ['and logged once', 1, 4],
  ])('is retried %s while a server can’t be reached', async (_, everyMs, successful) => {
    const { lines, log } = newLog()
    const { task, rounds } = counting('away', everyMs, (round) => {
      if (round < successful) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      return false
    })
    const failed: string[] = []
    const stop = startLoop([task], log, (name) => failed.push(name))
    await eventually(() => expect(rounds.length).toBeGreaterThanOrEqual(successful))
    await stop()
    expect(lines).toHaveLength(1)
    expect(failed).toEqual(['away'])
  })

  it('does not delay another one', async () => {
    const stuck = counting('stuck', 1, () => sleep(200, false))
    const quick = counting('quick', 1, () => false)
    const stop = startLoop([stuck.task, quick.task], newLog().log)
    await eventually(() => expect(quick.rounds.length).toBeGreaterThan(3))
    expect(stuck.rounds.length).toBeLessThan(quick.rounds.length)
    await stop()
  })
})

describe('stopping', () => {
  it('waits for running tasks, and starts nothing more', async () => {
    let ended = false
    const { task, rounds } = counting('slow', 0, async () => {
      await sleep(50)
      ended = true
      return true
    })
    const stop = startLoop([task], newLog().log)
    await stop()
    expect(ended).toBe(true)
    await sleep(20)
    expect(rounds).toHaveLength(1)
  })

  it('aborts the signal of running tasks, so that they can end early', async () => {
    const wereAborted: boolean[] = []
    const task: Task = {
      name: 'long',
      everyMs: hourMs,
      run: async (signal) => {
        wereAborted.push(signal.aborted)
        await sleep(hourMs, undefined, { signal }).catch(() => wereAborted.push(signal.aborted))
        return true
      },
    }
    await startLoop([task], newLog().log)()
    expect(wereAborted).toEqual([false, true])
  })

  it('sets no timer for a task that was running', async () => {
    const everyMs = 123_456
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timers.mockRestore())
    const stop = startLoop([counting('slow', everyMs, () => sleep(20, false)).task], newLog().log)
    await stop()
    expect(timers.mock.calls.filter(([, ms]) => ms === everyMs)).toEqual([])
  })

  it('ends waits for the next round', async () => {
    const { task, rounds } = counting('waits', 20, () => false)
    const stop = startLoop([task], newLog().log)
    await eventually(() => expect(rounds).toHaveLength(1))
    await stop()
    await sleep(50)
    expect(rounds).toHaveLength(1)
  })
})
