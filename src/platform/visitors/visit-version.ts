/** Which visits of a person to protected sites hold. */
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { users } from '../../stores/db/schema/teams.ts'

const versionQuery = prepared((db) =>
  db
    .select({ visitVersion: users.visitVersion })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('visit_version'),
)

/** The version that a visit of the person must have begun with, or a later one; undefined for nobody. */
export async function findVisitVersion(lookUps: Database, userId: string): Promise<number | undefined> {
  const [row] = await versionQuery(lookUps).execute({ userId })
  return row?.visitVersion
}
