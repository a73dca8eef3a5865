/** How much the deployments of some projects hold. */
import { desc, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import { idList } from '../callers/scope.ts'

/** The newest deployments of each project, which bound what is read. */
const newest = sql.raw('1000')

/** The bytes of the latest 1,000 deployments of each of the projects. */
export async function sumDeployedBytes(db: Database, projectIds: readonly string[]): Promise<number> {
  const { projectId, bytes, createdMs, id } = deployments
  const [found] = await db
    .select({ bytes: sql`coalesce(sum(each.bytes), 0)`.mapWith(Number) })
    .from(sql`unnest(${idList(projectIds)}) as seen (project_id) cross join lateral (
      select ${bytes} from ${deployments} where ${projectId} = seen.project_id
      order by ${desc(createdMs)}, ${desc(id)} limit ${newest}) as each`)
  return found?.bytes ?? 0
}
