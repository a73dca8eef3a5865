import type { Change } from './changes.ts'
import type { Database } from './database.ts'

/** One transaction in a store. What it announces is told to caches when it commits; see `Store.transact`. */
export type Transaction = Database & { announce(change: Change): void }
