/** Servers of deployments, as the nodes that run them report them. */
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { deployments } from './projects.ts'

/** The states of a server; a row is there only while it is none of `stopped`. */
export const serverStates = ['stopped', 'starting', 'running', 'crashed'] as const

/**
 * A row for each server that a node runs, or tries to. It holds until `leaseUntilMs`, which a node that is
 * well moves on; one that isn't there, or is older, says `stopped`.
 */
export const servers = pgTable(
  'servers',
  {
    deploymentId: text('deployment_id')
      .notNull()
      .references(() => deployments.id, { onDelete: 'cascade' }),
    target: text({ enum: ['production', 'preview'] }).notNull(),
    /** The name of the node. */
    node: text().notNull(),
    state: text({ enum: serverStates }).notNull(),
    sinceMs: bigint('since_ms', { mode: 'number' }).notNull(),
    /** As it was measured last; null before. */
    memoryBytes: bigint('memory_bytes', { mode: 'number' }),
    /** How often it has ended by itself since its first start on the node. */
    restarts: integer().notNull().default(0),
    leaseUntilMs: bigint('lease_until_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deploymentId, table.target, table.node] }),
    index('servers_by_lease').on(table.leaseUntilMs),
  ],
)
