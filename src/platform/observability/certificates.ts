/** How many names have the certificates that are ordered for them. */
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'

export type CertificateCounts = {
  active: number
  pending: number
  /** Without a certificate, after an order that failed. */
  failed: number
}

/** Counts the names whose certificates the platform orders; reads all rows. */
export async function countCertificates(db: Database): Promise<CertificateCounts> {
  const { chain, errorReason } = certificates
  const counted = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) filter (where ${condition})`.mapWith(Number)
  const [row] = await db
    .select({
      active: counted(sql`${chain} is not null`),
      pending: counted(sql`${chain} is null and ${errorReason} is null`),
      failed: counted(sql`${chain} is null and ${errorReason} is not null`),
    })
    .from(certificates)
    .where(eq(certificates.source, 'acme'))
  if (!row) throw new Error('An aggregate without groups returned no row.')
  return row
}
