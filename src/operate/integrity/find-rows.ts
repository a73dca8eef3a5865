/** Finds the rows with a problem, and mends them. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CheckDeps, Found } from './deps.ts'
import { type RowCheck, rowChecks } from './row-checks.ts'
import { walkTable } from './walk-table.ts'

/** The part of the check over all of `rowChecks`. */
export async function* checkRows(deps: CheckDeps): AsyncGenerator<Found[]> {
  for (const check of rowChecks) yield* findRows(deps, check)
}

/** The rows with one problem. */
export async function* findRows(
  { db, mend, nowMs }: Pick<CheckDeps, 'db' | 'mend' | 'nowMs'>,
  check: RowCheck,
): AsyncGenerator<Found[]> {
  const { kind, table, problem, subject, message } = check
  const name = sql.identifier(table)
  const mends = mend && check.mend !== undefined
  const pages = walkTable(db, table, async (range) => {
    const where = sql`where ${range} and (${problem})`
    if (!mends) return subjectsOf(await db.execute(sql`select ${subject} as subject from ${name} ${where}`))
    const change =
      check.mend === 'delete'
        ? sql`delete from ${name}`
        : sql`update ${name} set ${check.mend?.set(nowMs()) ?? sql``}`
    return subjectsOf(await db.execute(sql`${change} ${where} returning ${subject} as subject`))
  })
  for await (const subjects of pages)
    yield subjects.map((each) => ({ kind, subject: each, message: message(each), mended: mends }))
}

const rowsSchema = z.array(z.object({ subject: z.coerce.string() }))

/** The two databases return results in different wrappers. */
function subjectsOf(result: unknown): string[] {
  const rows = Array.isArray(result) ? [...result] : z.object({ rows: z.unknown() }).parse(result).rows
  return rowsSchema.parse(rows).map(({ subject }) => subject)
}
