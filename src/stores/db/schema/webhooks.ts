/** Webhooks, and the deliveries of each. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { events } from './events.ts'
import { members, teams } from './teams.ts'

/** How a webhook tells of events: signed requests to a program, or messages to people. */
export const webhookFormats = ['standard', 'slack', 'discord', 'mail'] as const

export type WebhookFormat = (typeof webhookFormats)[number]

export const webhooks = pgTable(
  'webhooks',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id),
    format: text({ enum: webhookFormats }).notNull().default('standard'),
    /** The address; of Slack and Discord its host alone, since the rest is the secret there. '' for mail. */
    url: text().notNull(),
    /** Names of events. */
    events: jsonb().$type<string[]>().notNull(),
    /** Ids of the projects whose events it gets; null: all, including events without a project. */
    projects: jsonb().$type<string[]>(),
    /**
     * AES-256-GCM. The whole address for Slack and Discord; otherwise the key that signs requests, or links
     * in mails.
     */
    sealedSecret: text('sealed_secret').notNull(),
    enabled: boolean().notNull().default(true),
    disabledReason: text('disabled_reason'),
    /** Since when every attempt has failed. */
    failingSinceMs: bigint('failing_since_ms', { mode: 'number' }),
    lastDeliveryMs: bigint('last_delivery_ms', { mode: 'number' }),
    /** Whether its latest response was slow. */
    slow: boolean().notNull().default(false),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [index('webhooks_by_team').on(table.teamId, table.createdMs, table.id)],
)

/**
 * One event on its way to one webhook. While `pending` it is due at `dueMs`; a claim is valid until
 * `leaseMs`, so that another node takes over after a crash. No index includes that column, so that claiming
 * updates none of them.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text().primaryKey(),
    /** The webhook's team; '' in rows older than this column, which share one turn. */
    teamId: text('team_id').notNull().default(''),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    status: text({ enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    dueMs: bigint('due_ms', { mode: 'number' }).notNull(),
    leaseMs: bigint('lease_ms', { mode: 'number' }).notNull().default(0),
    httpStatus: integer('http_status'),
    durationMs: integer('duration_ms'),
    /** The ids of the users who got the mail, so that another attempt is for the others. */
    sentTo: jsonb('sent_to').$type<string[]>(),
    error: text(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    index('deliveries_by_webhook').on(table.webhookId, table.createdMs, table.id),
    index('deliveries_by_event').on(table.eventId),
    index('deliveries_due')
      .on(table.teamId, table.webhookId, table.dueMs)
      .where(sql`${table.status} = 'pending'`),
  ],
)

/** The members who chose the mails of a webhook. Rows end with the membership. */
export const webhookSubscribers = pgTable(
  'webhook_subscribers',
  {
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    teamId: text('team_id').notNull(),
    userId: text('user_id').notNull(),
    createdMs: bigint('created_ms', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.userId] }),
    foreignKey({
      name: 'webhook_subscribers_member_fk',
      columns: [table.teamId, table.userId],
      foreignColumns: [members.teamId, members.userId],
    }).onDelete('cascade'),
    index('webhook_subscribers_by_member').on(table.teamId, table.userId),
  ],
)
