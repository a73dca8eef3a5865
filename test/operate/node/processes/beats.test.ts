/** Another process that does not respond is noticed, but not this one's own pauses. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchBeats } from '../../../../src/operate/node/processes/beats.ts'

const limits = { everyMs: 10, lateMs: 50, goneMs: 100, startMs: 600 }

describe('a process that is watched', () => {
  let heard: string[]
  let answers: (() => void)[]
  let pausedMs: number
  const now = () => Date.now() + pausedMs

  beforeEach(() => {
    vi.useFakeTimers()
    heard = []
    answers = []
    pausedMs = 0
  })

  afterEach(() => vi.useRealTimers())

  const watch = () =>
    watchBeats(
      {
        ask: () => new Promise<void>((resolve) => answers.push(resolve)),
        onLate: () => heard.push('late'),
        onGone: () => heard.push('gone'),
      },
      limits,
      now,
    )

  const respond = () => {
    for (const answer of answers.splice(0)) answer()
  }

  it('is neither late nor gone while it responds', async () => {
    const watched = watch()
    for (let round = 0; round < 50; round += 1) {
      respond()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect([heard, watched.isLate()]).toEqual([[], false])
    watched.end()
  })

  it('is late after some silence, and no more once it responds', async () => {
    const watched = watch()
    respond()
    await vi.advanceTimersByTimeAsync(80)
    expect([heard, watched.isLate()]).toEqual([['late'], true])
    respond()
    await vi.advanceTimersByTimeAsync(10)
    expect([heard, watched.isLate()]).toEqual([['late'], false])
    watched.end()
  })

  it('is gone after more, once', async () => {
    watch()
    respond()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(heard).toEqual(['late', 'gone'])
  })

  it('has longer to start', async () => {
    watch()
    await vi.advanceTimersByTimeAsync(500)
    expect(heard).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(heard).toEqual(['gone'])
  })

  it('is not blamed for a time in which the watcher itself stood still', async () => {
    const watched = watch()
    respond()
    await vi.advanceTimersByTimeAsync(10)
    pausedMs += 3_600_000
    await vi.advanceTimersByTimeAsync(10)
    expect([heard, watched.isLate()]).toEqual([[], false])
    watched.end()
  })
})
