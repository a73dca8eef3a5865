/** The last deployment of a project that became ready. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { deployments } from '../../stores/db/schema/projects.ts'

/**
 * Whether the project's newest ready deployment is one of files alone, but for those of somebody outside the
 * team; false without any.
 */
export async function wasStatic(db: Database, projectId: string): Promise<boolean> {
  // One step of the index for each target, which comes before the time in it.
  const newest = sql`unnest(array['production', 'preview']) as wanted (target)
    cross join lateral (
      select server is not null as has_server, created_ms from ${deployments}
      where project_id = ${projectId} and target = wanted.target and state = 'ready' and not untrusted
      order by created_ms desc, id desc limit 1) as last`
  const [last] = await db
    .select({ hasServer: sql<boolean>`last.has_server` })
    .from(newest)
    .orderBy(sql`last.created_ms desc`)
    .limit(1)
  return last?.hasServer === false
}
