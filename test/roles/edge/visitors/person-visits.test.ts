/** Which visits of people go on, as an edge knows it. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { createPersonVisits } from '../../../../src/roles/edge/visitors/person-visits.ts'
import { users } from '../../../../src/stores/db/schema/teams.ts'
import { type Edge, startEdge } from '../edge.ts'

let edge: Edge

beforeAll(async () => {
  edge = await startEdge()
})

afterAll(() => edge.close())

async function newUser(visitVersion: number): Promise<string> {
  const id = newId('user', Date.now())
  await edge.store.db.insert(users).values({ id, name: 'Ada', createdMs: 1, visitVersion })
  return id
}

/** Visits at an edge whose database is away while `store.isAway`. */
function newVisits(maxStaleMs: number) {
  const store = { isAway: false }
  // What builds a query goes on, what executes it fails.
  const failing = <T extends object>(builder: T): T =>
    new Proxy(builder, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name !== 'execute') return failing(Reflect.apply(value, target, args))
          if (store.isAway) throw Object.assign(new Error('Nobody listens.'), { code: 'ECONNREFUSED' })
          return Reflect.apply(value, target, args)
        }
      },
    })
  const lookUps = failing(edge.store.lookUps)
  const visits = createPersonVisits({ lookUps, changes: edge.store.changes }, maxStaleMs)
  onTestFinished(visits.stop)
  const goesOn = (subject: string, visitVersion: number) =>
    visits.goOn([{ subject, visitVersion, accessVersion: 0, expiryMs: 0 }])
  return { store, visits, goesOn }
}

it('those that began with the present version, or with one that this edge has not heard of', async () => {
  const userId = await newUser(2)
  const { goesOn } = newVisits(0)
  expect(await Promise.all([0, 1, 2, 3].map((version) => goesOn(userId, version)))).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('one of several cookies is enough', async () => {
  const userId = await newUser(2)
  const { visits } = newVisits(0)
  const of = (visitVersion: number) => ({ subject: userId, visitVersion, accessVersion: 0, expiryMs: 0 })
  expect(await visits.goOn([of(1), of(2)])).toBe(true)
  expect(await visits.goOn([])).toBe(false)
})

it('nobody’s', async () => {
  expect(await newVisits(0).goesOn(`usr_${randomBytes(16).toString('hex')}`, 9)).toBe(false)
})

it('none of before, as soon as the change is announced', async () => {
  const userId = await newUser(0)
  const { goesOn } = newVisits(0)
  expect(await goesOn(userId, 0)).toBe(true)
  await edge.store.transact(async (tx) => {
    await tx.update(users).set({ visitVersion: 1 }).where(eq(users.id, userId))
    tx.announce({ kind: 'member', id: userId })
  })
  expect(await goesOn(userId, 0)).toBe(false)
})

it('as last known while the database is away, for as long as sites are served', async () => {
  const userId = await newUser(1)
  for (const [maxStaleMs, expected] of [
    [60_000, true],
    [0, false],
  ] as const) {
    const { store, goesOn } = newVisits(maxStaleMs)
    expect(await goesOn(userId, 1)).toBe(true)
    store.isAway = true
    edge.store.changes.publishMissed()
    const answers = await Promise.allSettled([goesOn(userId, 1), goesOn(userId, 0)])
    expect(answers.map((each) => each.status === 'fulfilled' && each.value)).toEqual([expected, false])
  }
})
