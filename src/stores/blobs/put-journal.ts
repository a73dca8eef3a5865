/**
 * Journals of objects on their way into the database: which ones a process has put and not yet recorded, so
 * that whoever comes after a dead one finds what it left.
 */
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { makeDirectory } from '../../lib/make-directory.ts'
import type { Tenure } from '../data-dir/tenures.ts'
import { inGroups } from '../db/in-groups.ts'
import type { BlobStore } from './blob-store.ts'
import { isLeftByDead, newIncomingName } from './incoming.ts'
import { isObjectName, newObjectName } from './object-identity.ts'

/** After so many lines a journal is begun anew, with what is still under way. */
const maxLines = 1_000

/** The most objects in it: the oldest of those that are never recorded are left to the sweep of all. */
const maxUnderWay = 1_000

/** A line is the name of an object that is about to be put or, after this sign, that was recorded. */
const ended = '-'

/** `store`, whose puts are in the journal of this process in `directory` until they are recorded. */
export async function withJournal(store: BlobStore, directory: string, tenure?: Tenure): Promise<BlobStore> {
  await makeDirectory(directory)
  const underWay = new Set<string>()
  let path: string | undefined
  let next: string | undefined
  let lines = 0

  async function begin(): Promise<void> {
    const before = path
    next ??= join(directory, await newIncomingName(tenure))
    await writeFile(next, textOf([...underWay]), { mode: 0o600 })
    path = next
    next = undefined
    lines = 0
    if (before !== undefined) await rm(before, { force: true })
  }

  const write = inGroups(async (written: string[]) => {
    if (path === undefined || lines > maxLines) return begin()
    lines += written.length
    await appendFile(path, textOf(written), { mode: 0o600 })
  })

  /** Whatever can't be noted is left to the sweep of all objects. */
  const note = (line: string) => write(line).catch(() => {})

  function settle(object: string): void {
    if (underWay.delete(object)) note(ended + object)
  }

  return {
    ...store,
    async put(teamId, expected, source) {
      const object = newObjectName(teamId, expected.sha256)
      underWay.add(object)
      const [oldest = object] = underWay
      if (underWay.size > maxUnderWay) underWay.delete(oldest)
      await note(object)
      try {
        await store.write(object, expected, source)
      } catch (error) {
        settle(object)
        throw error
      }
      return object
    },
    recorded(objects) {
      for (const object of objects) settle(object)
      store.recorded(objects)
    },
    async remove(object) {
      await store.remove(object)
      settle(object)
    },
  }
}

const textOf = (lines: string[]) => lines.map((line) => `${line}\n`).join('')

/** The objects that a dead process put and perhaps didn't record, and what forgets its journal. */
type LeftPuts = { objects: string[]; forget(): Promise<void> }

/** The journals in `directory` of processes that have died, last written to before `beforeMs`. */
export async function* leftPuts(
  directory: string,
  beforeMs: number,
  tenure?: Tenure,
): AsyncGenerator<LeftPuts> {
  for (const name of await namesIn(directory)) {
    if (!(await isLeftByDead(name, tenure))) continue
    const path = join(directory, name)
    if ((await stat(path)).mtimeMs >= beforeMs) continue
    const lines = (await readFile(path, 'utf8')).split('\n')
    const over = new Set(lines.filter((line) => line.startsWith(ended)).map((line) => line.slice(1)))
    const objects = lines.filter((line) => isObjectName(line) && !over.has(line))
    yield { objects, forget: () => rm(path, { force: true }) }
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
