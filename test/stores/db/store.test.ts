import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { Change } from '../../../src/stores/db/changes.ts'
import { openPostgres } from '../../../src/stores/db/open-database.ts'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { createStore, type Store } from '../../../src/stores/db/store.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestNode } from '../../support/node.ts'
import { sharedNode } from '../../support/node.ts'
import { startOwnNode } from './own-node.ts'

let node: TestNode
let store: Store

beforeAll(async () => {
  node = await sharedNode()
  store = node.installation.store
})

/** The store's notifications from now on; `missed` stands for having to invalidate everything. */
function listen(to: Store): (Change | 'missed')[] {
  const heard: (Change | 'missed')[] = []
  const stop = to.changes.subscribe({
    changed: (change) => heard.push(change),
    missed: () => heard.push('missed'),
  })
  onTestFinished(() => void stop())
  return heard
}

const change = (id = newId('key', 1)): Change => ({ kind: 'key', id })

/** Of the notifications only those for `change`: other nodes may send theirs at any time. */
const mine = (heard: (Change | 'missed')[]) =>
  heard.filter((each) => each !== 'missed' && each.id.startsWith(newId('key', 1).slice(0, 16)))

describe('the database of this suite', () => {
  it('is the one that its name says', async () => {
    const rows: unknown = await store.db.execute(sql`select version() as version`)
    const isPglite = JSON.stringify(rows).includes('emscripten') || JSON.stringify(rows).includes('wasm')
    expect(isPglite).toBe(process.env.TEST_ON === undefined)
  })
})

describe('a transaction', () => {
  const user = () => ({ id: newId('user', Date.now()), name: 'user', createdMs: 1 })
  const exists = async (id: string) =>
    (await store.db.select().from(users).where(eq(users.id, id))).length === 1

  it('sends its notifications before it returns, in order', async () => {
    const heard = listen(store)
    const announced = [change(), change()]
    const result = await store.transact(async (tx) => {
      for (const each of announced) tx.announce(each)
      expect(mine(heard)).toEqual([])
      return 'done'
    })
    expect(result).toBe('done')
    expect(mine(heard)).toEqual(announced)
  })

  it('leaves nothing when it fails, but still notifies: the commit may have happened', async () => {
    const heard = listen(store)
    const row = user()
    const announced = change()
    const failing = store.transact(async (tx) => {
      await tx.insert(users).values(row)
      tx.announce(announced)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await exists(row.id)).toBe(false)
    expect(mine(heard)).toEqual([announced])
  })

  it('does not notify unsubscribed listeners', async () => {
    const heard: Change[] = []
    const stop = store.changes.subscribe({ changed: (each) => heard.push(each), missed: () => {} })
    stop()
    await store.transact(async (tx) => tx.announce(change()))
    expect(mine(heard)).toEqual([])
  })
})

describe.runIf(process.env.TEST_ON)('two transactions in a deadlock', () => {
  it('are both done, one of them in a second attempt, and each notifies once', async () => {
    const [one, other] = [newId('user', 1), newId('user', 2)]
    await store.db.insert(users).values([one, other].map((id) => ({ id, name: 'user', createdMs: 1 })))
    const name = (tx: Store['db'], id: string, to: string) =>
      tx.update(users).set({ name: to }).where(eq(users.id, id))
    const heard = listen(store)
    const announced = [change(), change()]
    let attempts = 0
    const renameBoth = ([first, second]: [string, string], news: Change) =>
      store.transact(async (tx) => {
        await name(tx, first, news.id)
        attempts += 1
        await eventually(() => expect(attempts).toBeGreaterThan(1))
        await name(tx, second, news.id)
        tx.announce(news)
      })
    const [firstNews = change(), secondNews = change()] = announced
    await Promise.all([renameBoth([one, other], firstNews), renameBoth([other, one], secondNews)])
    expect(attempts).toBe(3)
    expect(new Set(mine(heard))).toEqual(new Set(announced))
    const rows = await store.db
      .select({ name: users.name })
      .from(users)
      .where(inArray(users.id, [one, other]))
    expect(new Set(rows.map((row) => row.name)).size).toBe(1)
  })
})

describe.runIf(process.env.TEST_ON)('another node on the same database', () => {
  let own: TestNode
  let other: Store

  beforeAll(async () => {
    own = await startOwnNode({ SVC_ROLES: 'worker' })
    other = await createStore(openPostgres(String(own.settings.DATABASE_URL)))
  })

  afterAll(async () => {
    await other.close()
    await own.stop()
  })

  const notify = (payload: string) =>
    own.installation.store.db.execute(sql`select pg_notify('svc_changes', ${payload})`)

  it('is notified once a change is committed and not before', async () => {
    const heard = listen(other)
    const announced = change()
    await own.installation.store.transact(async (tx) => {
      tx.announce(announced)
      await sleep(100)
      expect(heard).toEqual([])
    })
    await eventually(() => expect(heard).toEqual([announced]))
  })

  it('is not notified of rolled-back changes', async () => {
    const heard = listen(other)
    const failing = own.installation.store.transact(async (tx) => {
      tx.announce(change())
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const next = change()
    await own.installation.store.transact(async (tx) => tx.announce(next))
    await eventually(() => expect(heard).toEqual([next]))
  })

  it('invalidates everything when there are too many changes', async () => {
    const heard = listen(other)
    const here = listen(own.installation.store)
    await own.installation.store.transact(async (tx) => {
      for (let i = 0; i < 51; i += 1) tx.announce(change())
    })
    expect(here).toHaveLength(51)
    await eventually(() => expect(heard).toEqual(['missed']))
  })

  it.each([
    ['text', 'hello'],
    ['no text', ''],
    ['JSON of another shape', '{"node": 1}'],
    [
      'a kind of change from a newer version',
      '{"node": "x", "changes": [{"kind": "something new", "id": "y"}]}',
    ],
  ])('invalidates everything, and keeps running, on an invalid notification: %s', async (_, payload) => {
    const heard = listen(other)
    await notify(payload)
    await eventually(() => expect(heard).toEqual(['missed']))
    const next = change()
    await own.installation.store.transact(async (tx) => tx.announce(next))
    await eventually(() => expect(heard).toEqual(['missed', next]))
  })
})
