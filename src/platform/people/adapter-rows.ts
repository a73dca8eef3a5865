/** Maps better-auth's rows and conditions to this program's tables. */
import type { CleanedWhere } from 'better-auth/adapters'
import { and, eq, getTableColumns, gt, gte, inArray, lt, lte, ne, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { asSecret } from '../../lib/secret.ts'
import { accounts } from '../../stores/db/schema/people.ts'
import { sessions } from '../../stores/db/schema/sessions.ts'
import { users } from '../../stores/db/schema/teams.ts'
import { hashToken } from '../callers/token.ts'

export type Row = Record<string, unknown>

/** better-auth's names of columns, where they differ from the schema's. */
export const fieldNames = {
  user: { createdAt: 'createdMs' },
  session: {
    token: 'tokenSha256',
    expiresAt: 'expiresMs',
    createdAt: 'createdMs',
    updatedAt: 'updatedMs',
  },
  account: { password: 'passwordHash', createdAt: 'createdMs', updatedAt: 'updatedMs' },
}

const tables: Record<string, PgTable> = { user: users, session: sessions, account: accounts }

/** The table of a model. */
export function tableOf(model: string): PgTable {
  const table = tables[model]
  if (!table) throw new Error(`There is no table for ${model}.`)
  return table
}

/** The column of a field. */
export function columnOf(table: PgTable, field: string): PgColumn {
  const column = getTableColumns(table)[field]
  if (!column) throw new Error(`There is no column for ${field}.`)
  return column
}

/**
 * The stored columns of a row. A provider's tokens, which aren't used after the sign-in, and a user's picture
 * have no column.
 */
export function storedRow(table: PgTable, row: Row): Row {
  const columns = getTableColumns(table)
  const stored = Object.entries(row).filter(([field]) => field in columns)
  return Object.fromEntries(stored.map(([field, value]) => [field, storedValue(field, value)]))
}

const comparisons = { eq, ne, gt, gte, lt, lte }

/** The condition as SQL. @throws Error for one that better-auth doesn't use on these tables. */
export function conditionOf(table: PgTable, where: CleanedWhere[] = []): SQL | undefined {
  return and(
    ...where.map(({ field, operator = 'eq', value, connector = 'AND' }) => {
      const column = columnOf(table, field)
      if (connector === 'AND' && operator === 'in' && Array.isArray(value)) {
        return inArray(
          column,
          value.map((each) => storedValue(field, each)),
        )
      }
      if (connector === 'AND' && operator in comparisons && value !== null) {
        return comparisons[operator as keyof typeof comparisons](column, storedValue(field, value))
      }
      throw new Error(`Conditions such as ${connector} ${field} ${operator} are not supported.`)
    }),
  )
}

/** The token that rows were asked for by: they are handed out with it, never with what is stored of it. */
export function wantedToken(where: CleanedWhere[] = []): Row {
  const { value } = where.find(({ field, operator }) => field === 'tokenSha256' && operator === 'eq') ?? {}
  return typeof value === 'string' ? { tokenSha256: value } : {}
}

function storedValue(field: string, value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return field === 'tokenSha256' && typeof value === 'string' ? hashToken(asSecret(value)) : value
}
