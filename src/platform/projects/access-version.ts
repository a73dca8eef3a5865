/** Which visits to a project's protected sites hold. */
import { sql } from 'drizzle-orm'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'

/**
 * In a query of a team with its project: a number that only rises, whenever visits have to end. A visit
 * carries the one of its beginning, and holds as long as the site has no later one.
 */
export const accessVersion = sql<number>`${teams.accessVersion} + coalesce(${projects.accessVersion}, 0)`
