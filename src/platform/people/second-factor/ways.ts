/** Which second factors a person has. */
import { eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { secondFactors } from '../../../stores/db/schema/second-factors.ts'
import { isFactorOn } from './attempt.ts'

/** Whether signing in with the password takes one, and whether the codes of an app are among them. */
export type Ways = { isOn: boolean; hasApp: boolean }

/** Those of the person. */
export async function readWays(db: Database, userId: string): Promise<Ways> {
  const [row] = await db
    .select({ isOn: isFactorOn, confirmedMs: secondFactors.confirmedMs })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId))
  return { isOn: row?.isOn ?? false, hasApp: row !== undefined && row.confirmedMs !== null }
}
