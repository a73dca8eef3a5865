/** Rows that represent jobs are processed, a few at a time, as they arrive. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createChanges } from '../../../src/stores/db/changes.ts'
import { type Queue, startQueue } from '../../../src/stores/queue/queue.ts'
import { eventually } from '../../support/eventually.ts'

type Job = { id: string }

const log = createLogger({ write: () => {} })
let stops: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  stops = []
})

/** Jobs that wait in memory, and what was done. */
function start(waiting: Job[], options: Partial<Queue<Job>> = {}) {
  const changes = createChanges()
  const done: string[] = []
  const stop = startQueue<Job>(
    {
      name: 'builds',
      concurrency: 2,
      pollMs: 60_000,
      claim: async (limit) => waiting.splice(0, limit),
      run: async ({ id }) => void done.push(id),
      ...options,
    },
    { changes, log },
  )
  stops.push(stop)
  return { changes, done, stop }
}

const jobs = (...ids: string[]) => ids.map((id) => ({ id }))

it('processes jobs that wait at the start, and later ones when they are announced', async () => {
  const waiting = jobs('a', 'b', 'c')
  const { changes, done } = start(waiting)
  await eventually(() => expect(done).toEqual(['a', 'b', 'c']))
  waiting.push({ id: 'd' })
  changes.publish({ kind: 'work', id: 'deliveries' })
  await sleep(20)
  expect(done).not.toContain('d')
  changes.publish({ kind: 'work', id: 'builds' })
  await eventually(() => expect(done).toContain('d'))
})

it('finds jobs without an announcement by polling', async () => {
  const waiting: Job[] = []
  const { done } = start(waiting, { pollMs: 10 })
  waiting.push({ id: 'a' })
  await eventually(() => expect(done).toEqual(['a']))
})

it('never runs more at a time than allowed', async () => {
  let running = 0
  let most = 0
  const { done } = start(jobs('a', 'b', 'c', 'd', 'e'), {
    async run({ id }) {
      running += 1
      most = Math.max(most, running)
      await sleep(5)
      running -= 1
      done.push(id)
    },
  })
  await eventually(() => expect(done).toHaveLength(5))
  expect(most).toBe(2)
})

it('a failure delays no other job, even if a poll fails', async () => {
  let failures = 0
  const waiting = jobs('a', 'b')
  const { changes, done } = start(waiting, {
    async claim(limit) {
      if (failures++ === 0) throw new Error('The store is away.')
      return waiting.splice(0, limit)
    },
    async run({ id }) {
      if (id === 'a') throw new Error('This one fails.')
      done.push(id)
    },
  })
  await sleep(5)
  changes.publishMissed()
  await eventually(() => expect(done).toEqual(['b']))
})

it('a stop aborts running jobs and waits for their end', async () => {
  const ended: string[] = []
  const { stop } = start(jobs('a'), {
    async run({ id }, signal) {
      await sleep(60_000, undefined, { signal }).catch(() => {})
      await sleep(5)
      ended.push(id)
    },
  })
  await sleep(5)
  await stop()
  expect(ended).toEqual(['a'])
})

it('a job that another worker has taken over is aborted at the next heartbeat', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  try {
    let aborted = false
    start(jobs('a'), {
      extend: async () => [],
      async run(_job, signal) {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    await sleep(5)
    expect(aborted).toBe(false)
    vi.advanceTimersByTime(5_000)
    await eventually(() => expect(aborted).toBe(true))
  } finally {
    vi.useRealTimers()
  }
})
