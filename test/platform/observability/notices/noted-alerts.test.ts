/** Which changes of alerts are to be sent, by which of several nodes. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Alert, AlertName } from '../../../../src/platform/observability/alerts/alert.ts'
import {
  claimChanges,
  noteAlerts,
  settleChanges,
} from '../../../../src/platform/observability/notices/noted-alerts.ts'
import { operatorAlerts } from '../../../../src/stores/db/schema/operator-alerts.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import type { TestNode } from '../../../support/node.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = Date.UTC(2026, 0, 1)

let node: TestNode

beforeAll(async () => {
  node = await startOwnNode()
})

afterEach(async () => {
  await node.installation.store.db.delete(operatorAlerts)
})

afterAll(() => node?.stop())

const alertOf = (name: AlertName, isOfMachine = true): Alert => ({
  name,
  place: '/data',
  figure: 7,
  unit: 'free_percent',
  isOfMachine,
  message: `${name}.`,
})

const low = alertOf('disk_low')
const full = alertOf('disk_full')
const expires = alertOf('certificate_expires', false)

/** What a node notes and claims at this time after the start: the changes that it would send. */
async function changesAt(afterMs: number, alerts: Alert[], machine = 'one') {
  const { db } = node.installation.store
  await noteAlerts(db, alerts, { machine, nowMs: startMs + afterMs })
  return claimChanges(db, startMs + afterMs)
}

/** The same, which are taken. */
async function sentAt(afterMs: number, alerts: Alert[], machine = 'one'): Promise<string[]> {
  const claimed = await changesAt(afterMs, alerts, machine)
  if (claimed.length > 0) await settleChanges(node.installation.store.db, claimed, true, startMs + afterMs)
  return claimed.map(({ change, name }) => `${change} ${name}`)
}

it('when one begins, daily, and when it is over', async () => {
  expect(await sentAt(0, [low])).toEqual(['begins disk_low'])
  for (const ms of [5_000, hourMs, dayMs - 1]) expect(await sentAt(ms, [low])).toEqual([])
  expect(await sentAt(dayMs, [low])).toEqual(['lasts disk_low'])
  expect(await sentAt(dayMs + 5_000, [low])).toEqual([])
  expect(await sentAt(dayMs + 10_000, [])).toEqual(['ends disk_low'])
  expect(await sentAt(dayMs + 15_000, [])).toEqual([])
})

it('once an hour at most where it comes and goes', async () => {
  const sent: string[] = []
  for (let minute = 0; minute < 120; minute += 1)
    sent.push(...(await sentAt(minute * minuteMs, minute % 2 === 0 ? [low] : [])))
  expect(sent).toEqual(['begins disk_low', 'ends disk_low', 'begins disk_low', 'ends disk_low'])
})

it('one of the installation by one of many nodes, over once none has seen it for minutes', async () => {
  const machines = ['one', 'two', 'three', 'four']
  const all = async (afterMs: number, alerts: Alert[]) =>
    (await Promise.all(machines.map((machine) => sentAt(afterMs, alerts, machine)))).flat()
  expect(await all(0, [expires])).toEqual(['begins certificate_expires'])
  expect(await all(dayMs, [expires])).toEqual(['lasts certificate_expires'])
  // One has not looked for a minute, and the others know better.
  expect(await sentAt(dayMs + 10_000, [], 'two')).toEqual([])
  expect(await sentAt(dayMs + 2 * minuteMs, [expires], 'one')).toEqual([])
  expect(await sentAt(dayMs + 4 * minuteMs, [], 'two')).toEqual([])
  expect(await all(dayMs + 6 * minuteMs, [])).toEqual(['ends certificate_expires'])
})

it('one of a machine by itself: another one says nothing of it', async () => {
  expect(await sentAt(0, [low], 'one')).toEqual(['begins disk_low'])
  expect(await sentAt(1, [low], 'two')).toEqual(['begins disk_low'])
  expect(await sentAt(2, [], 'two')).toEqual(['ends disk_low'])
  expect(await sentAt(3, [low], 'one')).toEqual([])
})

it('what grew worse is not over', async () => {
  await sentAt(0, [low])
  expect(await sentAt(1, [full])).toEqual(['begins disk_full'])
  expect(await sentAt(2, [])).toEqual(['ends disk_full'])
})

it('what was claimed by a node that died is another’s after its lease', async () => {
  expect(await changesAt(0, [low])).toHaveLength(1)
  expect(await changesAt(minuteMs, [low])).toEqual([])
  expect(await changesAt(2 * minuteMs, [low])).toMatchObject([{ change: 'begins', attempts: 2 }])
})

it('what is not taken is tried five times, later and later, and then left', async () => {
  const { db } = node.installation.store
  const tried: number[] = []
  for (let minute = 0; minute < 600; minute += 1) {
    const claimed = await changesAt(minute * minuteMs, [low])
    if (claimed.length === 0) continue
    tried.push(minute)
    await settleChanges(db, claimed, false, startMs + minute * minuteMs)
  }
  expect(tried).toEqual([0, 1, 6, 36, 156])
  expect(await sentAt(dayMs, [low])).toEqual(['lasts disk_low'])
})

it('what is over before anybody was sent that it began is not sent at all', async () => {
  const claimed = await changesAt(0, [low])
  await settleChanges(node.installation.store.db, claimed, false, startMs)
  expect(await sentAt(2 * minuteMs, [])).toEqual([])
})

it('a node that is gone is forgotten after two days', async () => {
  await sentAt(0, [low], 'gone')
  await sentAt(3 * dayMs, [], 'one')
  expect(await node.installation.store.db.select().from(operatorAlerts)).toEqual([])
})
