/**
 * The table of a project's settings that have a column each. From it follow requests, records, defaults, the
 * rights to set them, and what `svc.json` and `svc projects` have of them.
 */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'
import { integer } from '../../stores/db/record-fields.ts'
import type { projects } from '../../stores/db/schema/projects.ts'
import { namesOf, rowsIn } from './field.ts'

type Facts = {
  /** Whether only owners set it: what affects access, or can lead to deletions. */
  forOwners: boolean
  /** Whether `svc.json` may have it. */
  inFile: boolean
}

const field = rowsIn<typeof projects.$inferSelect, Facts>()

const protectionSchema = z.enum(['none', 'preview', 'all'])

export const fields = {
  protection: field({
    column: 'protection',
    schema: protectionSchema,
    says: 'Which hosts require a credential. For owners',
    output: protectionSchema,
    initial: 'none',
    forOwners: true,
    inFile: true,
    option: ['--protection <which>', 'which deployments require a credential'],
    line: { label: 'protection', words: {} },
  }),
  auto_promote: field({
    column: 'autoPromote',
    schema: z.boolean(),
    says: 'Whether production deployments go live automatically. For owners',
    output: z.boolean(),
    initial: true,
    forOwners: true,
    inFile: true,
    option: ['--auto-promote <on|off>', 'make production deployments live automatically'],
    line: { label: 'auto promote', words: { true: 'on', false: 'off' } },
  }),
  preview_ttl_days: field({
    column: 'previewTtlDays',
    schema: z.int().min(1).max(3_650),
    says: 'Older previews are deleted. For owners',
    output: integer.nullable(),
    initial: null,
    forOwners: true,
    inFile: true,
    option: ['--preview-ttl-days <days>', 'delete older previews'],
    line: { label: 'previews', words: { null: 'kept', other: 'kept # days' } },
  }),
  spa: field({
    column: 'spa',
    schema: z.boolean(),
    says: 'Serves index.html for unknown paths',
    output: z.boolean(),
    initial: false,
    forOwners: false,
    inFile: true,
    option: ['--spa <on|off>', 'serve index.html for unknown paths'],
    line: { label: 'spa', words: { true: 'yes', false: 'no' } },
  }),
  hsts: field({
    column: 'hsts',
    schema: z.boolean(),
    says: 'Tells browsers to use HTTPS alone for a year (Strict-Transport-Security)',
    output: z.boolean().meta({ description: 'Whether browsers are told to use HTTPS alone for a year' }),
    initial: false,
    forOwners: false,
    inFile: true,
    option: ['--hsts <on|off>', 'tell browsers to use HTTPS alone for a year'],
    line: { label: 'hsts', words: { true: 'yes', false: 'no' } },
  }),
  branch_addresses: field({
    column: 'branchAddresses',
    schema: z.boolean(),
    says: 'Whether each branch has an address, which leads to its newest deployment',
    output: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether each branch has an address, which leads to its newest deployment' }),
    initial: true,
    forOwners: false,
    inFile: true,
    option: ['--branch-addresses <on|off>', 'give each branch an address'],
    line: { label: 'branch addresses', words: { true: 'on', false: 'off' } },
  }),
  start: field({
    column: 'start',
    schema: z.string().min(1).max(1_000),
    says: 'The command that starts the server of each deployment; null: each finds out by itself',
    output: z.string().nullable().default(null).meta({
      description: 'The command that starts the server of each deployment; null: each finds out by itself',
    }),
    initial: null,
    forOwners: false,
    inFile: true,
    option: ['--start <command>', 'starts the server of each deployment'],
    line: { label: 'start', words: {} },
  }),
  note: field({
    column: 'note',
    schema: displayText({ max: 200 }),
    says: 'A line for whoever works on it',
    output: z.string().nullable().default(null),
    initial: null,
    forOwners: false,
    inFile: false,
    option: ['--note <text>', 'a line for whoever works on it'],
    line: { label: 'note', words: { null: 'none' } },
  }),
}

/** The name of such a setting. */
export type FieldName = keyof typeof fields

/** The name of one that `svc.json` may have. */
export type FileField = {
  [Name in FieldName]: (typeof fields)[Name]['inFile'] extends true ? Name : never
}[FieldName]

/** The names of those that only owners set. */
export const fieldsForOwners = namesOf(fields).filter((name) => fields[name].forOwners)
