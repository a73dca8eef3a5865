/** A recurring task runs once for all nodes. */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { turns } from '../../../src/stores/db/schema/turns.ts'
import { takeTurn } from '../../../src/stores/queue/recurring.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const take = (task: string, everyMs: number) => takeTurn(node.installation.store.db, task, everyMs)

const setNext = (task: string, nextMs: number) =>
  node.installation.store.db.update(turns).set({ nextMs }).where(eq(turns.task, task))

it('one of several concurrent nodes gets the turn', async () => {
  const task = unique('sweep')
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(task, 60_000)))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await take(task, 60_000)).toBe(false)
})

it('the next turn comes when the interval is over', async () => {
  const task = unique('sweep')
  await take(task, 60_000)
  await setNext(task, Date.now() - 1)
  expect(await take(task, 60_000)).toBe(true)
})

it('a clock that was set back does not stop the task', async () => {
  const task = unique('sweep')
  await take(task, 60_000)
  await setNext(task, Date.now() + 8 * 3_600_000)
  expect(await take(task, 60_000)).toBe(true)
})
