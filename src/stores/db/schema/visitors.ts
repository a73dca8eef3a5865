/** How visitors get into protected sites: share links, and the codes that signing in leads back with. */
import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { projects } from './projects.ts'
import { users } from './teams.ts'

/**
 * `host` is a label of the platform or a domain, as the edge knows the site. Of the secret only the hash is
 * kept. With the project they go by themselves, since nodes of the version before don't know them.
 */
export const shareLinks = pgTable(
  'share_links',
  {
    id: text().primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    host: text().notNull(),
    secretSha256: text('secret_sha256').notNull().unique(),
    createdBy: text('created_by').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('share_links_by_project').on(table.projectId, table.createdMs, table.id),
    index('share_links_by_maker').on(table.createdBy, table.createdMs).concurrently(),
  ],
)

/** A code is for one person, host and browser; `path` is where the browser goes on. Used ones are deleted. */
export const visitCodes = pgTable(
  'visit_codes',
  {
    codeSha256: text('code_sha256').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    host: text().notNull(),
    nonceSha256: text('nonce_sha256').notNull(),
    path: text().notNull(),
    expiresMs: bigint('expires_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('visit_codes_by_user').on(table.userId, table.expiresMs)],
)
