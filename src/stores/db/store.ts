/** The database with notifications of changes. */
import { randomUUID } from 'node:crypto'
import { announceChanges, hearChanges } from './announce-changes.ts'
import { type Change, type Changes, createChanges } from './changes.ts'
import type { Database } from './database.ts'
import { isDeadlock } from './failures.ts'
import type { OpenDatabase } from './open-database.ts'
import type { Transaction } from './transaction.ts'

type Work<T> = (tx: Transaction) => Promise<T>

export type Store = {
  db: Database
  /** For prepared lookups; see `OpenDatabase`. */
  lookUps: Database
  changes: Changes
  /** See `OpenDatabase`. */
  pause: OpenDatabase['pause']
  /**
   * Runs `work` in one transaction. Its announcements reach this node's caches before this returns, and other
   * nodes when the transaction commits. Inside, use only the transaction that is passed in. Deadlock victims
   * are retried: checks of foreign keys take locks in orders of their own.
   */
  transact<T>(work: Work<T>): Promise<T>
  close(): Promise<void>
}

/** A retry doesn't deadlock with the same transaction, which has finished by then. */
const maxAttempts = 3

/** A store over an open database; on PostgreSQL it listens to other nodes' announcements. */
export async function createStore(database: OpenDatabase): Promise<Store> {
  const { db, lookUps, pause } = database
  const node = randomUUID()
  const changes = createChanges()
  // The embedded database has no other nodes.
  const shared = database.engine === 'postgres'
  if (shared) await hearChanges(database, node, changes)

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
    const announce = (change: Change) => void announced.push(change)
    try {
      return await db.transaction(async (tx) => {
        const result = await work(Object.assign(tx, { announce }))
        if (shared) await announceChanges(tx, node, announced)
        return result
      })
    } finally {
      // Also after an error: the commit may have succeeded with only its response lost.
      for (const change of announced) changes.publish(change)
    }
  }
}
