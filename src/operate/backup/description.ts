/**
 * `backup.json`: what a backup is of and consists of. It is written last, so a directory without it is no
 * backup.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { BackupError } from './error.ts'

/** The name of the description's file. */
export const descriptionFile = 'backup.json'

/** The name of the file with the files of sites. */
export const listFile = 'files.gz'

/** The name of the file with the rows of a table. */
export function tableFile(table: string): string {
  return `tables/${table}.gz`
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A file of the backup, relative to its directory, as it is stored. */
const fileSchema = z.strictObject({ file: z.string(), bytes: z.int(), sha256 })

export type StoredFile = z.infer<typeof fileSchema>

const tableSchema = z
  .strictObject({
    name: z.string().regex(/^\w+$/),
    columns: z.array(z.string()),
    rows: z.int(),
    ...fileSchema.shape,
  })
  .refine(({ name, file }) => file === tableFile(name), 'has another file')

export type StoredTable = z.infer<typeof tableSchema>

/** `value` is the last one of a sequence, so that no number is given twice. */
const sequenceSchema = z.strictObject({ name: z.string(), value: z.string().regex(/^\d+$/) })

const contentSchema = z.strictObject({
  format: z.literal(1),
  /** The version of svc that made it. */
  svc: z.string(),
  /** The last migration of the database. */
  migration: z.string(),
  /** The installation's id. */
  installation: z.string(),
  taken_at: z.iso.datetime(),
  engine: z.enum(['pglite', 'postgres']),
  encryption_key: z.strictObject({
    /** Derived from the key, to recognize it. */
    check: z.string(),
    included: z.boolean(),
  }),
  files: z.strictObject({
    /** Whether they are in the backup, or only in their bucket. */
    kept: z.enum(['copied', 'referenced']),
    /** Where they were. */
    location: z.string(),
    count: z.int(),
    bytes: z.int(),
    /** Some of those that were missing or damaged, and are not in the backup. */
    missing: z.array(z.string()),
    missing_count: z.int(),
    list: fileSchema.refine(({ file }) => file === listFile, 'has another list of files'),
  }),
  tables: z.array(tableSchema).refine(areDistinct, 'has a table twice'),
  sequences: z.array(sequenceSchema),
})

export type Description = z.infer<typeof contentSchema>

function areDistinct(tables: { name: string }[]): boolean {
  return new Set(tables.map(({ name }) => name)).size === tables.length
}

/** The description as text, with the SHA-256 of itself. */
export function writeDescription(description: Description): string {
  const content = contentSchema.parse(description)
  return `${JSON.stringify({ ...content, sha256: digestOf(content) }, null, 2)}\n`
}

/**
 * The description in `text`; `path` names it in errors.
 * @throws BackupError if it is damaged, or of a version of svc that made other backups.
 */
export function parseDescription(text: string, path: string): Description {
  const written = z.looseObject({ format: z.int(), sha256 }).safeParse(parseJson(text))
  if (!written.success) throw new BackupError(`${path} is damaged: it is not the description of a backup.`)
  const { sha256: digest, ...content } = written.data
  if (digestOf(content) !== digest) throw new BackupError(`${path} is damaged: its SHA-256 is another.`)
  const parsed = contentSchema.safeParse(content)
  if (parsed.success) return parsed.data
  throw new BackupError(`${path} was written by another version of svc: restore it with that version.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function digestOf(content: object): string {
  return hash('sha256', JSON.stringify(content, sorted))
}

/** For JSON.stringify: objects with their keys in order, which is no part of what is written. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
