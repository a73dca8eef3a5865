/** The name of an API key, as part of another statement. */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'

/** The key's name as an expression; null for no key. */
export function keyName(db: Database, keyId: string | null): SQL<string | null> {
  return sql`(${db
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId ?? ''))})`
}
