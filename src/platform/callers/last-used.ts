/**
 * Collects when each key, and each session, was last used and writes it in batches. What a session lasts is
 * counted from there.
 */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { sessionLifetimeMs } from './session-lifetime.ts'

export type LastUsed = {
  note(id: string, nowMs: number): void
  /** Writes the batch in one statement. On failure it is kept for the next time. */
  flush(): Promise<void>
}

/** The collectors of keys and of sessions. */
export type LastUses = Record<'keys' | 'sessions', LastUsed>

/** The rows of keys, and those of sessions, and what a use sets in them. */
const places = {
  keys: {
    table: sql.identifier('api_keys'),
    changes: sql`last_used_ms = greatest(last_used_ms, used.ms)`,
  },
  sessions: {
    table: sql.identifier('sessions'),
    changes: sql`updated_ms = greatest(updated_ms, used.ms),
      expires_ms = greatest(expires_ms, used.ms + ${sql.raw(String(sessionLifetimeMs))})`,
  },
}

/** Both collectors, for the rows of `db`. */
export function createLastUses(db: Database): LastUses {
  return { keys: createLastUsed(db), sessions: createLastUsed(db, 'sessions') }
}

/** A collector for the rows of `db`; call `flush` about once a second, and before closing the database. */
export function createLastUsed(db: Database, kind: keyof LastUses = 'keys'): LastUsed {
  const { table, changes } = places[kind]
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
          update ${table} set ${changes}
          from json_to_recordset(${rows}::json) as used(id text, ms bigint)
          where ${table}.id = used.id and ${table}.id = any(string_to_array(${ids}, ','))`)
      } catch (error) {
        gathered = new Map([...batch, ...gathered])
        throw error
      }
    },
  }
}
