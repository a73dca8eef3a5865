import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/stores/db/database.ts'
import { isForeignKeyViolation, isUnavailable, isUniqueViolation } from '../../../src/stores/db/failures.ts'
import { openPostgres } from '../../../src/stores/db/open-database.ts'
import { members, teams } from '../../../src/stores/db/schema/teams.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  return expect.unreachable('it did not fail')
}

/** The error's classification in one word. */
function kindOf(error: unknown): string {
  const kinds = { unavailable: isUnavailable, unique: isUniqueViolation, foreign: isForeignKeyViolation }
  return Object.entries(kinds)
    .filter(([, is]) => is(error))
    .map(([kind]) => kind)
    .join()
}

describe('a database error', () => {
  it('reports a unique constraint', async () => {
    const { slug } = await newTeam(node)
    const insert = db.insert(teams).values({ id: 'x', slug, name: 'x', personal: false, createdMs: 1 })
    expect(kindOf(await failureOf(insert))).toBe('unique')
  })

  it('reports a foreign key, from either side', async () => {
    const { id } = await newTeam(node)
    const insert = db
      .insert(members)
      .values({ teamId: 'nothing', userId: 'nobody', role: 'owner', joinedMs: 1 })
    expect(kindOf(await failureOf(insert))).toBe('foreign')
    expect(kindOf(await failureOf(db.execute(sql`delete from teams where id = ${id}`)))).toBe('foreign')
  })

  it('is unclassified otherwise', async () => {
    expect(kindOf(await failureOf(db.execute(sql`select 1 / 0`)))).toBe('')
    expect(kindOf(await failureOf(db.execute(sql`select nothing`)))).toBe('')
    for (const error of [undefined, null, 'text', new Error('x'), { code: 23505 }])
      expect(kindOf(error)).toBe('')
  })

  it.skipIf(!process.env.TEST_ON)(
    'is unavailable when a statement takes too long or its connection is cut',
    { tags: 'long' },
    async () => {
      const slow = db.transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout = 10`)
        await tx.execute(sql`select pg_sleep(5)`)
      })
      expect(kindOf(await failureOf(slow))).toBe('unavailable')
      // Not of the node that other tests share.
      const own = openPostgres(process.env.TEST_ON ?? '', 1)
      const cut = own.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
      })
      expect(kindOf(await failureOf(cut))).toBe('unavailable')
      await own.close()
    },
  )

  it.each(['ECONNREFUSED', 'CONNECT_TIMEOUT', '53300', '57P03', '40001'])(
    'is unavailable with the code %s',
    (code) => {
      const cause = Object.assign(new Error('inner'), { code })
      expect(kindOf(cause)).toBe('unavailable')
      expect(kindOf(new Error('outer', { cause: new Error('middle', { cause }) }))).toBe('unavailable')
    },
  )

  it('is searched to the end of its causes, but not forever', () => {
    const circle: { cause?: unknown } = {}
    circle.cause = circle
    expect(kindOf(circle)).toBe('')
  })
})
