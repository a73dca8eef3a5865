/** better-auth's database adapter: times are milliseconds, and a session's token is stored as SHA-256. */
import { type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { and, asc, count, desc, gt, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../stores/db/database.ts'
import { claimedAddresses } from '../../stores/db/schema/people.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { users } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { columnOf, conditionOf, type Row, storedRow, tableOf, wantedToken } from './adapter-rows.ts'
import { deleteSessions } from './sessions.ts'
import { insertPerson } from './sign-up.ts'

type Factory = ReturnType<typeof createAdapterFactory>

const config = {
  adapterId: 'svc',
  supportsNumericIds: false,
  customTransformOutput: ({
    data,
    fieldAttributes,
  }: {
    data: unknown
    fieldAttributes: { type: unknown }
  }) => (fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data),
}

type Options = {
  nowMs: () => number
  /** How people prove to be it who sign in through it. */
  provenBy: 'password' | 'provider'
}

/** The adapter on `store`: the option `database` of better-auth. */
export function createPeopleAdapter(store: Store, options: Options): Factory {
  const within = (tx: Transaction): Factory =>
    createAdapterFactory({
      config,
      adapter: () => adapterOn(tx, (work) => work(tx), options),
    })
  return (ofAuth) =>
    createAdapterFactory({
      config: {
        ...config,
        transaction: (work) => store.transact((tx) => work(within(tx)(ofAuth))),
      },
      adapter: () => adapterOn(store.db, store.transact, options),
    })(ofAuth)
}

const newPersonSchema = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
})

/** `transact` runs work in a new transaction, or in the one that `db` is. */
function adapterOn(db: Database, transact: Store['transact'], { nowMs, provenBy }: Options): CustomAdapter {
  const find: CustomAdapter['findMany'] = async ({ model, where, limit, sortBy }) => {
    const table = tableOf(model)
    const query = db.select().from(table).where(conditionOf(table, where)).limit(limit)
    const column = sortBy && columnOf(table, sortBy.field)
    const rows = await (column
      ? query.orderBy(sortBy.direction === 'asc' ? asc(column) : desc(column))
      : query)
    const claims = table === users ? await claimsOf(db, rows) : undefined
    return rows.map((row) => ofModel({ ...row, ...claims?.get(row.id), ...wantedToken(where) }))
  }

  const update = async ({ model, where, update: changes }: Parameters<CustomAdapter['updateMany']>[0]) => {
    const table = tableOf(model)
    const stored = storedRow(table, changes)
    return transact((tx) => tx.update(table).set(stored).where(conditionOf(table, where)).returning())
  }

  const remove: CustomAdapter['deleteMany'] = ({ model, where }) => {
    const table = tableOf(model)
    const condition = conditionOf(table, where)
    return transact(async (tx) => {
      // Expired rows are removed by the trusted clock, with all others (see worker/tasks.ts).
      const lasts = gt(sessions.expiresMs, Math.max(nowMs(), Date.now()))
      if (table === sessions) return deleteSessions(tx, and(condition, lasts))
      return (await tx.delete(table).where(condition).returning()).length
    })
  }

  return {
    create: async ({ model, data }) => {
      const table = tableOf(model)
      await transact(async (tx) => {
        if (table === users) await insertPerson(tx, newPersonSchema.parse(data), nowMs())
        else {
          const row = storedRow(table, data)
          await tx.insert(table).values(table === sessions ? { ...row, provenBy } : row)
        }
      })
      return data
    },
    update: async ({ model, where, update: changes }) => {
      const [row] = await update({ model, modelKey: model, where, update: Object(changes) })
      return row ? ofModel({ ...row, ...wantedToken(where) }) : null
    },
    updateMany: async (change) => (await update(change)).length,
    findOne: async <T>(query: Parameters<CustomAdapter['findOne']>[0]) =>
      (await find<T>({ ...query, limit: 1 }))[0] ?? null,
    findMany: find,
    delete: async (query) => void (await remove(query)),
    deleteMany: remove,
    count: async ({ model, where }) => {
      const table = tableOf(model)
      const [found] = await db.select({ rows: count() }).from(table).where(conditionOf(table, where))
      return found?.rows ?? 0
    },
  }
}

/** The addresses that users without a proven one claim, by the user's id: they aren't found by these. */
async function claimsOf(db: Database, rows: Row[]): Promise<Map<unknown, { email: string | null }>> {
  const userIds = rows.flatMap(({ id, email }) => (email === null ? String(id) : []))
  if (userIds.length === 0) return new Map()
  const claims = await db.select().from(claimedAddresses).where(inArray(claimedAddresses.userId, userIds))
  return new Map(claims.map(({ userId, email }) => [userId, { email }]))
}

/** A row of better-auth's types, which leave its shape to the caller: nothing could be parsed here. */
function ofModel<T>(row: object): T {
  return row as T
}
