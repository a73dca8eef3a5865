/** Tells other nodes on the same PostgreSQL what a transaction has changed, once it commits (NOTIFY). */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Change, type Changes, changeSchema } from './changes.ts'
import type { Database } from './database.ts'
import type { OpenDatabase } from './open-database.ts'

const channel = 'svc_changes'

/** NOTIFY is limited to 8,000 bytes; with more changes than this, other nodes evict everything. */
const maxChangesPerMessage = 50

const messageSchema = z.strictObject({ node: z.string(), changes: z.array(changeSchema).nullable() })

/** Announces in the transaction `tx` what `node` has changed. */
export async function announceChanges(tx: Database, node: string, changes: Change[]): Promise<void> {
  if (changes.length === 0) return
  const listed = changes.length <= maxChangesPerMessage ? changes : null
  const message = JSON.stringify({ node, changes: listed })
  await tx
    .select({ notified: sql`pg_notify(${channel}, ${message})` })
    .from(sql`(values (1)) as once`)
    .prepare('notify')
    .execute()
}

/** Publishes in `changes` what other nodes than `node` announce, until the database is closed. */
export async function hearChanges(
  database: Pick<OpenDatabase, 'listen'>,
  node: string,
  changes: Changes,
): Promise<void> {
  function hear(payload: string): void {
    const message = readMessage(payload)
    if (message?.node === node) return
    if (message?.changes) for (const change of message.changes) changes.publish(change)
    else changes.publishMissed()
  }
  await database.listen(channel, hear, changes.publishMissed)
}

/** The message, or undefined if it is unknown, as from a newer node. */
function readMessage(payload: string): z.output<typeof messageSchema> | undefined {
  try {
    return messageSchema.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}
