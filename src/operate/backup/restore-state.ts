/**
 * `restore.json` in the data directory: a restore under way, until it has ended well or everything is as it
 * was.
 */
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SettingsError } from '../../lib/settings/error.ts'
import { syncDirectory } from '../../stores/blobs/sync-directory.ts'
import { readIfAny } from '../../stores/data-dir/read-if-any.ts'

const schema = z.strictObject({
  /** The command that repeats it. */
  command: z.string(),
  /** `switching`: all that is new is complete beside the old, and takes its place. */
  phase: z.enum(['building', 'switching']),
  /** Whether there was no installation before. */
  isFirst: z.boolean(),
  engine: z.enum(['pglite', 'postgres']),
  /** The transaction that PostgreSQL may have committed, while switching. */
  transaction: z.string().nullable(),
  /** Where the files of sites are. */
  location: z.string(),
  /** The id of the installation that owned them; null for none. */
  ownerBefore: z.string().nullable(),
  /** The id of the one that is restored. */
  installation: z.string(),
  /** The name under which the encryption key in the data directory is put aside. */
  keyAside: z.string(),
})

export type Restoring = z.infer<typeof schema>

/** The path of the file. */
export function restoringPath(directory: string): string {
  return join(directory, 'restore.json')
}

/** The record, if there is one. @throws SettingsError if it can't be understood. */
export async function readRestoring(directory: string): Promise<Restoring | undefined> {
  const path = restoringPath(directory)
  const text = await readIfAny(path)
  if (text === undefined) return undefined
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new SettingsError(
    `${path} is of a restore by another version of svc that was broken off: go on with that version.`,
  )
}

/** Records it durably, in place of what was recorded. */
export async function writeRestoring(directory: string, restoring: Restoring): Promise<void> {
  const draft = `${restoringPath(directory)}.draft`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(restoring, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, restoringPath(directory))
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(directory)
}

/** Removes the record durably. */
export async function removeRestoring(directory: string): Promise<void> {
  await rm(restoringPath(directory), { force: true })
  await syncDirectory(directory)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
