/** Finds the files of servers that earlier processes have written. */
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../../lib/make-directory.ts'
import type { Database } from '../../../stores/db/database.ts'
import { removeTree } from '../../sandbox/remove-tree.ts'
import { findIdentities, type KeptIdentity } from './read-kept.ts'

/** The files of a manifest in their directory, how much space they take, and when they were last used. */
export type Written = { id: number; directory: string; bytes: number; usedMs: number }

const whole = /^([1-9]\d{0,15})-[0-9a-f]{64}$/

/** The name of a directory that is none of a manifest. */
export function newName(): string {
  return `part-${randomBytes(8).toString('hex')}`
}

/** The directory below `root` for the files of a manifest. */
export function directoryOf(root: string, id: number, { digest }: KeptIdentity): string {
  return join(root, `${id}-${digest}`)
}

/** Whole directories below `root`, which is made if need be; removes all others. */
export async function findWritten(db: Database, root: string): Promise<Written[]> {
  await makeDirectory(root)
  const names = await readdir(root)
  const ids = names.flatMap((name) => whole.exec(name)?.[1] ?? []).map(Number)
  const identities = await findIdentities(db, ids)
  const written = new Map([...identities].map(([id, each]) => [directoryOf(root, id, each), { id, ...each }]))
  const found: Written[] = []
  for (const name of names) {
    const directory = join(root, name)
    const manifest = written.get(directory)
    if (manifest === undefined) await removeTree(directory)
    else
      found.push({
        id: manifest.id,
        directory,
        bytes: manifest.bytes,
        usedMs: (await stat(directory)).mtimeMs,
      })
  }
  return found
}
