/** The migrations that this program has, made by drizzle-kit. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export type Migration = {
  /** The name of its file, without the ending. */
  name: string
  statements: string[]
  /** When it was made, in Unix milliseconds: a database has the ones up to the newest that it has. */
  madeMs: number
  sha256: string
  /** Whether it builds its indexes beside running transactions, which can't be done within one. */
  isConcurrent: boolean
}

const folder = fileURLToPath(new URL('../../../drizzle', import.meta.url))

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.int() })) })

/** All of them, oldest first. */
export function readMigrations(): Migration[] {
  const journal = journalSchema.parse(JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')))
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(`${folder}/${tag}.sql`, 'utf8')
    return {
      name: tag,
      statements: text.split('--> statement-breakpoint'),
      madeMs: when,
      sha256: createHash('sha256').update(text).digest('hex'),
      isConcurrent: /\bconcurrently\b/i.test(text),
    }
  })
}
