/** Which node makes the next backup by schedule, and when. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import {
  claimBackup,
  endBackup,
  extendBackup,
  readMade,
  recordBackup,
} from '../../../src/operate/backup/schedule.ts'
import { createBackupWatch } from '../../../src/platform/observability/alerts/backups.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 0, 1)

let node: TestNode
let location: string

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(() => {
  location = `/backups/${randomUUID()}`
})

const turnAt = (afterMs: number, holder = 'one') => ({ location, holder, nowMs: startMs + afterMs })

const claim = (afterMs: number, holder = 'one') =>
  claimBackup(node.installation.store.db, { ...turnAt(afterMs, holder), everyMs: dayMs })

const record = (afterMs: number, backup: string, there = [backup]) =>
  recordBackup(node.installation.store.db, turnAt(afterMs), {
    backup,
    bytes: 7,
    there,
    startedMs: startMs + afterMs - minuteMs,
  })

/** The names of the alerts at this time. */
async function alertsAt(afterMs: number) {
  const deps = { db: node.installation.store.db, nowMs: () => startMs + afterMs }
  const watch = createBackupWatch({ location, everyMs: dayMs }, deps)
  await watch.refresh()
  return watch.alerts().map(({ name }) => name)
}

it('one of many nodes at a time, as long as it lives', async () => {
  const holders = ['one', 'two', 'three', 'four']
  const claimed = await Promise.all(holders.map((holder) => claim(0, holder)))
  expect(claimed.filter(Boolean)).toHaveLength(1)
  const holder = holders[claimed.indexOf(true)] ?? ''
  const { db } = node.installation.store
  for (let ms = 5_000; ms <= minuteMs; ms += 5_000) {
    expect(await extendBackup(db, turnAt(ms, holder))).toBe(true)
    expect(await claim(ms, 'other')).toBe(false)
  }
  expect(await claim(minuteMs + 20_000, 'other')).toBe(true)
  expect(await extendBackup(db, turnAt(minuteMs + 21_000, holder))).toBe(false)
})

it('an interval after the start of the last one', async () => {
  expect(await claim(0)).toBe(true)
  await record(minuteMs, 'first')
  expect(await claim(hourMs)).toBe(false)
  expect(await claim(dayMs - 1)).toBe(false)
  expect(await claim(dayMs)).toBe(true)
})

it('a quarter of an hour after one that failed, and at once after one that was only broken off', async () => {
  const { db } = node.installation.store
  await claim(0)
  await endBackup(db, turnAt(minuteMs), 'The disk of the place is full.')
  expect(await claim(15 * minuteMs)).toBe(false)
  expect(await claim(16 * minuteMs)).toBe(true)
  await endBackup(db, turnAt(17 * minuteMs), undefined)
  expect(await claim(17 * minuteMs + 1)).toBe(true)
})

it('knows those that it made, until they are gone', async () => {
  await claim(0)
  await record(minuteMs, 'first')
  await record(dayMs, 'second', ['by hand', 'first', 'second'])
  expect((await readMade(node.installation.store.db, location)).sort()).toEqual(['first', 'second'])
  await record(2 * dayMs, 'third', ['by hand', 'second', 'third'])
  expect((await readMade(node.installation.store.db, location)).sort()).toEqual(['second', 'third'])
})

it('the last one is late after a day and an hour, or was never made by then, or failed', async () => {
  await claim(0)
  expect(await alertsAt(dayMs)).toEqual([])
  expect(await alertsAt(dayMs + hourMs + 1)).toEqual(['backup_late'])
  await endBackup(node.installation.store.db, turnAt(dayMs), 'No.')
  expect(await alertsAt(dayMs)).toEqual(['backup_failed'])
  await claim(2 * dayMs)
  await record(2 * dayMs, 'first')
  expect(await alertsAt(3 * dayMs + hourMs)).toEqual([])
  expect(await alertsAt(3 * dayMs + hourMs + 1)).toEqual(['backup_late'])
})
