/** The keys of session tickets, the same on all nodes, and new ones every day. */
import { randomBytes } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import { asSecret } from '../../lib/secret.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { ticketKeys } from '../../stores/db/schema/certificates.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** The length of ticket keys in Node: a name of 16 bytes, and two keys. */
const keyBytes = 48

type Deps = { db: Database; key: Buffer; nowMs: number }

/**
 * The keys of today, made by the first node that needs them; older keys are forgotten, so that nobody can
 * decrypt with them.
 */
export async function ticketKeysOfToday({ db, key, nowMs }: Deps): Promise<Buffer> {
  const createdMs = Math.floor(nowMs / dayMs) * dayMs
  const place = `ticket keys ${createdMs}`
  const find = () => db.select().from(ticketKeys).where(eq(ticketKeys.createdMs, createdMs))
  const [known] = await find()
  if (known) return Buffer.from(unseal(key, place, known.keySealed), 'base64')
  const keySealed = seal(key, place, asSecret(randomBytes(keyBytes).toString('base64')))
  await db.insert(ticketKeys).values({ createdMs, keySealed }).onConflictDoNothing()
  await db.delete(ticketKeys).where(lt(ticketKeys.createdMs, createdMs))
  const [made] = await find()
  if (!made) throw new Error('The keys of session tickets were removed while they were made.')
  return Buffer.from(unseal(key, place, made.keySealed), 'base64')
}
