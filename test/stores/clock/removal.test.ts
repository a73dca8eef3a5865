/** When the clock is trusted for removals by age. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { moveMark, readMark, setMark } from '../../../src/stores/clock/mark.ts'
import { createRemovalClock } from '../../../src/stores/clock/removal.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { clockMark } from '../../../src/stores/db/schema/clock.ts'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import type { TestNode } from '../../support/node.ts'
import { startOwnNode } from '../db/own-node.ts'

const dayMs = 24 * 3_600_000
const startMs = Date.now()

let node: TestNode

beforeAll(async () => {
  // Recurring work of other nodes would move the mark.
  node = await startOwnNode()
})

afterAll(() => node.stop())

class Undone extends Error {}

/** An installation that last ran at `startMs`, and its clock; it is deleted in the end. */
async function inInstallation(
  work: (
    at: ReturnType<typeof clockOn> & { clockOn: () => ReturnType<typeof clockOn>; db: Database },
  ) => Promise<void>,
): Promise<void> {
  const undone = node.installation.store.db.transaction(async (db) => {
    await db.delete(clockMark)
    await db.delete(turns)
    const time = { nowMs: startMs }
    const newClock = () => clockOn(db, time)
    await work({ ...newClock(), clockOn: newClock, db })
    throw new Undone()
  })
  await expect(undone).rejects.toThrow(Undone)
}

function clockOn(db: Database, time: { nowMs: number }) {
  const lines: string[] = []
  const log = createLogger({ write: (line) => void lines.push(line) })
  const removal = createRemovalClock({ db, nowMs: () => time.nowMs, jumpDays: 30, log })
  return { time, removal, lines, mark: () => readMark(db, time.nowMs) }
}

describe('a clock', () => {
  it('is trusted as it runs, and over weeks in which nothing ran', async () => {
    await inInstallation(async ({ time, removal, mark, clockOn }) => {
      expect(await removal.ask()).toBe(startMs)
      for (const passedMs of [1_000, 70_000, 3 * dayMs, 33 * dayMs]) {
        time.nowMs = startMs + passedMs
        expect(await clockOn().removal.ask()).toBe(time.nowMs)
        expect(await removal.ask()).toBe(time.nowMs)
      }
      expect(await mark()).toBe(startMs + 33 * dayMs)
      expect(removal.jumpMs()).toBe(0)
    })
  })

  it.each([
    ['live', false],
    ['at a start', true],
  ])('is not trusted after a jump, %s: the mark stays until an administrator moves it', async (_, isNew) => {
    await inInstallation(async ({ time, db, clockOn, mark, ...first }) => {
      await first.removal.ask()
      const { removal, lines } = isNew ? clockOn() : first
      for (const days of [31, 365, 366]) {
        time.nowMs = startMs + days * dayMs
        expect(await removal.ask()).toBeUndefined()
        expect(removal.jumpMs()).toBe(days * dayMs)
        expect(await mark()).toBe(startMs)
      }
      expect(lines.filter((line) => line.includes('svc admin clock accept'))).toHaveLength(1)
      await setMark(db, time.nowMs)
      expect(await removal.ask()).toBe(time.nowMs)
      expect(removal.jumpMs()).toBe(0)
    })
  })

  it('is trusted again when it is corrected', async () => {
    await inInstallation(async ({ time, removal, lines }) => {
      await removal.ask()
      time.nowMs = startMs + 365 * dayMs
      expect(await removal.ask()).toBeUndefined()
      time.nowMs = startMs + 1
      expect(await removal.ask()).toBe(startMs + 1)
      expect(lines).toHaveLength(2)
    })
  })

  it('that goes back leaves the mark, and may catch up with it', async () => {
    await inInstallation(async ({ time, removal, clockOn, mark }) => {
      await removal.ask()
      time.nowMs = startMs - 365 * dayMs
      expect(await removal.ask()).toBe(time.nowMs)
      expect(await clockOn().removal.look()).toBe(time.nowMs)
      expect(await mark()).toBe(startMs)
      time.nowMs = startMs + 2 * dayMs
      expect(await removal.ask()).toBe(time.nowMs)
    })
  })

  it('is compared with the last recurring work if no time was ever recorded', async () => {
    await inInstallation(async ({ time, removal, db }) => {
      await db.insert(turns).values({ task: 'expire previews', nextMs: startMs })
      time.nowMs = startMs + 31 * dayMs
      expect(await removal.ask()).toBeUndefined()
    })
  })
})

describe('the mark', () => {
  const mostMs = 30 * dayMs

  it.each([
    ['moves forward', 1, 1],
    ['moves by the maximum step', mostMs, mostMs],
    ['stays if a node is ahead of the one that moves it', -1, 0],
    ['stays if it would move further', mostMs + 1, 0],
  ])('%s', async (_what, aheadMs, expected) => {
    await inInstallation(async ({ db, mark }) => {
      await setMark(db, startMs)
      await moveMark(db, startMs + aheadMs, mostMs)
      expect((await mark()) - startMs).toBe(expected)
    })
  })
})
