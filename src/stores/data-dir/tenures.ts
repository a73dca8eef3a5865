/**
 * The times for which processes held a lock, one after another. What they write meanwhile bears the id of
 * theirs: so a later holder knows what an earlier one left, whatever machine or container that one ran in.
 */
import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfAny } from './read-if-any.ts'

export type Tenure = {
  /** 32 hexadecimal digits. */
  id: string
  /** Whether this is the id of one that has ended; false where that is not known. */
  isOver(id: string): boolean
}

/** How many are remembered. */
const kept = 100

/** The file for those who hold a data directory. */
export function tenuresOf(dataDirectory: string): string {
  return join(dataDirectory, 'tenures')
}

/** Begins one, and notes it in `file`; only for a process that holds the lock. */
export async function beginTenure(file: string): Promise<Tenure> {
  const id = randomBytes(16).toString('hex')
  const all = [...(await idsIn(file)), id].slice(-kept)
  const draft = `${file}.draft`
  try {
    await writeFile(draft, `${all.join('\n')}\n`, { mode: 0o600 })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
  return lastOf(all)
}

/** The present one, for another process of those that hold the lock together; undefined for none. */
export async function findTenure(file: string): Promise<Tenure | undefined> {
  const all = await idsIn(file)
  return all.length === 0 ? undefined : lastOf(all)
}

function lastOf(all: string[]): Tenure {
  const ended = new Set(all.slice(0, -1))
  return { id: all.at(-1) ?? '', isOver: (id) => ended.has(id) }
}

async function idsIn(file: string): Promise<string[]> {
  return ((await readIfAny(file)) ?? '').split('\n').filter((line) => /^[0-9a-f]{32}$/.test(line))
}
