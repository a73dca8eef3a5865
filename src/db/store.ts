/** The database with notifications of changes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Change, type Changes, changeSchema, createChanges } from './changes.ts'
import type { Database } from './database.ts'
import { isDeadlock } from './failures.ts'
import type { OpenDatabase } from './open.ts'

type Work<T> = (tx: Database, announce: (change: Change) => void) => Promise<T>

export type Store = {
  db: Database
  /** For prepared lookups; see `OpenDatabase`. */
  lookUps: Database
  changes: Changes
  /** See `OpenDatabase`. */
  pause: OpenDatabase['pause']
  /**
   * Runs `work` in one transaction. Its announcements reach this node's caches before this returns, and other nodes when the
   * transaction commits. Inside, use only the transaction that is passed in. Deadlock victims are retried: checks of foreign
   * keys take locks in orders of their own.
   */
  transact<T>(work: Work<T>): Promise<T>
  close(): Promise<void>
}

const channel = 'svc_changes'

/** A retry doesn't deadlock with the same transaction, which has finished by then. */
const maxAttempts = 3

/** NOTIFY is limited to 8,000 bytes; with more changes than this, other nodes evict everything. */
const maxChangesPerMessage = 50

const messageSchema = z.strictObject({ node: z.string(), changes: z.array(changeSchema).nullable() })

/** A store over an open database; on PostgreSQL it listens to other nodes' announcements. */
export async function createStore(database: OpenDatabase): Promise<Store> {
  const { db, lookUps, pause } = database
  const node = randomUUID()
  const changes = createChanges()
  // The embedded database has no other nodes.
  const shared = database.engine === 'postgres'

  function hear(payload: string): void {
    const message = readMessage(payload)
    if (message?.node === node) return
    if (message?.changes) for (const change of message.changes) changes.publish(change)
    else changes.publishMissed()
  }

  if (shared) await database.listen(channel, hear, changes.publishMissed)

  return {
    db,
    lookUps,
    changes,
    pause,
    async transact(work) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runOnce(work)
        } catch (error) {
          if (attempt === maxAttempts || !isDeadlock(error)) throw error
        }
      }
    },
    close: database.close,
  }

  async function runOnce<T>(work: Work<T>): Promise<T> {
    const announced: Change[] = []
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx, (change) => announced.push(change))
        if (shared && announced.length > 0) {
          const listed = announced.length <= maxChangesPerMessage ? announced : null
          const message = JSON.stringify({ node, changes: listed })
          await tx
            .select({ notified: sql`pg_notify(${channel}, ${message})` })
            .from(sql`(values (1)) as once`)
            .prepare('notify')
            .execute()
        }
        return result
      })
    } finally {
      // Also after an error: the commit may have succeeded with only its response lost.
      for (const change of announced) changes.publish(change)
    }
  }
}

/** The message, or undefined if it is unknown, as from a newer node. */
function readMessage(payload: string): z.output<typeof messageSchema> | undefined {
  try {
    return messageSchema.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}
