/** Removes build caches that no build will use. */
import { inArray } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { projects } from '../../../stores/db/schema/projects.ts'
import type { CacheStore } from './store.ts'

const unusedMs = 30 * 24 * 60 * 60_000

/** Removes those of deleted projects, and those that were not used for 30 days; resolves to their number. */
export async function sweepCaches(
  { db, store }: { db: Database; store: CacheStore },
  nowMs: number,
): Promise<number> {
  const ids = await store.projects()
  const rows =
    ids.length === 0
      ? []
      : await db.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids))
  const known = new Set(rows.map(({ id }) => id))
  const gone = new Set(ids.filter((id) => !known.has(id)))
  return store.sweep((id) => gone.has(id), nowMs - unusedMs)
}
