/** Collects when each key, and each session, was last used and writes it in batches. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'

export type LastUsed = {
  note(id: string, nowMs: number): void
  /** Writes the batch in one statement. On failure it is kept for the next time. */
  flush(): Promise<void>
}

/** The collectors of keys and of sessions. */
export type LastUses = Record<'keys' | 'sessions', LastUsed>

/** Where the times of keys are, and those of sessions. */
const places = {
  keys: { table: sql.identifier('api_keys'), column: sql.identifier('last_used_ms') },
  sessions: { table: sql.identifier('sessions'), column: sql.identifier('updated_ms') },
}

/** Both collectors, for the rows of `db`. */
export function createLastUses(db: Database): LastUses {
  return { keys: createLastUsed(db), sessions: createLastUsed(db, 'sessions') }
}

/** A collector for the rows of `db`; call `flush` about once a second, and before closing the database. */
export function createLastUsed(db: Database, kind: keyof LastUses = 'keys'): LastUsed {
  const { table, column } = places[kind]
  let gathered = new Map<string, number>()
  return {
    note(id, nowMs) {
      gathered.set(id, nowMs)
    },
    async flush() {
      if (gathered.size === 0) return
      const batch = gathered
      gathered = new Map()
      try {
        const rows = JSON.stringify([...batch].map(([id, ms]) => ({ id, ms })))
        const ids = [...batch.keys()].join(',')
        await db.execute(sql`
          update ${table} set ${column} = greatest(${column}, used.ms)
          from json_to_recordset(${rows}::json) as used(id text, ms bigint)
          where ${table}.id = used.id and ${table}.id = any(string_to_array(${ids}, ','))`)
      } catch (error) {
        gathered = new Map([...batch, ...gathered])
        throw error
      }
    },
  }
}
