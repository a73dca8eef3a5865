/** How PostgreSQL executes a query. */
import type postgres from 'postgres'
import { z } from 'zod'

export type Plan = z.output<typeof planSchema>

const planSchema = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  'Shared Hit Blocks': z.number().default(0),
  'Shared Read Blocks': z.number().default(0),
  get Plans() {
    return z.array(planSchema).default([])
  },
})

const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planSchema })]) })])

type Query = { toSQL(): { sql: string; params: unknown[] } }

/** Runs a query as the server prepares it, with `mode` for `plan_cache_mode`. */
export async function explain(client: postgres.Sql, mode: string, query: Query): Promise<Plan> {
  const { sql, params } = query.toSQL()
  const values = params.map((value) => `'${String(value)}'`).join(', ')
  return client.begin(async (tx) => {
    await tx.unsafe(`set local plan_cache_mode = ${mode}`)
    await tx.unsafe(`prepare page as ${sql}`)
    const rows = await tx.unsafe(`explain (analyze, format json) execute page${values && `(${values})`}`)
    await tx.unsafe('deallocate page')
    return explained.parse([...rows])[0]['QUERY PLAN'][0].Plan
  })
}

/** A plan node with all nodes below it. */
export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...plan.Plans.flatMap(nodesOf)]
}

/**
 * How PostgreSQL executes a statement with these parameters and `settings`. Its changes are rolled back;
 * undefined for a statement that can't run a second time. `client` has one connection.
 */
export async function explainAgain(
  client: postgres.Sql,
  settings: Record<string, string>,
  { text, params }: { text: string; params: (string | null)[] },
): Promise<Plan | undefined> {
  const values = params
    .map((value) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`))
    .join(', ')
  try {
    const set = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)
    await client.unsafe(['begin', ...set].join('; '))
    await client.unsafe(`prepare again as ${text}`)
    const rows = await client.unsafe(
      `explain (analyze, buffers, format json) execute again${values && `(${values})`}`,
    )
    return explained.parse([...rows])[0]['QUERY PLAN'][0].Plan
  } catch (error) {
    if (isIntegrityViolation(error)) return undefined
    throw new Error(`${text}: ${error}`)
  } finally {
    await client.unsafe('rollback; deallocate all')
  }
}

/** The inserted row exists already, or the row it referred to is gone. */
function isIntegrityViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('23')
}

/** The plan nodes that read a table or an index of it, whose names begin with the table's. */
export function scansOf(table: string, plan: Plan): Plan[] {
  const own = plan['Relation Name'] === table || plan['Index Name']?.startsWith(`${table}_`) ? [plan] : []
  return [...own, ...plan.Plans.flatMap((each) => scansOf(table, each))]
}

/** How many rows of a table a plan has read. */
export function rowsRead(table: string, plan: Plan): number {
  return scansOf(table, plan).reduce(
    (total, scan) => total + (scan['Actual Rows'] + scan['Rows Removed by Filter']) * scan['Actual Loops'],
    0,
  )
}
