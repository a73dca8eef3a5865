/** Finds the files of servers that earlier processes have written. */
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../../lib/make-directory.ts'
import type { Database } from '../../../stores/db/database.ts'
import { removeTree } from '../../sandbox/remove-tree.ts'
import { findBytesOnDisk } from './read-kept.ts'

/** The files of a manifest, how much space they take, and when they were last used. */
export type Written = { id: number; bytes: number; usedMs: number }

const whole = /^[1-9]\d{0,15}$/

/** The name of a directory that is none of a manifest. */
export function newName(): string {
  return `part-${randomBytes(8).toString('hex')}`
}

/** Whole directories below `root`, which is made if need be; removes all others. */
export async function findWritten(db: Database, root: string): Promise<Written[]> {
  await makeDirectory(root)
  const names = await readdir(root)
  const bytes = await findBytesOnDisk(db, names.filter((name) => whole.test(name)).map(Number))
  const written: Written[] = []
  for (const name of names) {
    const found = whole.test(name) ? bytes.get(Number(name)) : undefined
    const path = join(root, name)
    if (found === undefined) await removeTree(path)
    else written.push({ id: Number(name), bytes: found, usedMs: (await stat(path)).mtimeMs })
  }
  return written
}
