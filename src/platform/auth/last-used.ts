/** Collects when each key was last used and writes it in batches. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'

export type LastUsed = {
  note(keyId: string, nowMs: number): void
  /** Writes the batch in one statement. On failure it is kept for the next time. */
  flush(): Promise<void>
}

/** A collector for the keys of `db`; call `flush` about once a second, and before closing the database. */
export function createLastUsed(db: Database): LastUsed {
  let gathered = new Map<string, number>()
  return {
    note(keyId, nowMs) {
      gathered.set(keyId, nowMs)
    },
    async flush() {
      if (gathered.size === 0) return
      const batch = gathered
      gathered = new Map()
      try {
        const rows = JSON.stringify([...batch].map(([id, ms]) => ({ id, ms })))
        const ids = [...batch.keys()].join(',')
        await db.execute(sql`
          update api_keys set last_used_ms = greatest(last_used_ms, used.ms)
          from json_to_recordset(${rows}::json) as used(id text, ms bigint)
          where api_keys.id = used.id and api_keys.id = any(string_to_array(${ids}, ','))`)
      } catch (error) {
        gathered = new Map([...batch, ...gathered])
        throw error
      }
    },
  }
}
