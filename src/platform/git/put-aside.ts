/** The files that git and this program put aside in a repository while they change it. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn } from './names-in.ts'

/** Names at the top of a repository: pushes, fetches, rules that are looked at, git's locks and drafts. */
const atTop = /^(?:svc-fetch|svc-objects|rules)-|\.lock$|^packed-refs\.new$/

/** Directories for packs of pushes, and loose objects, in `objects`. */
const ofObjects = /^tmp_|\.lock$/

/** Packs on their way, and marks that keep packs of pushes from being put together. */
const ofPacks = /^tmp_|^\.tmp-|\.(?:lock|keep)$/

const ofPack = /^(pack-[0-9a-f]+)\.\w+$/

/** A file or directory, and what tells it from a later one of the same name. */
export type PutAside = { path: string; inode: number }

/** All that is put aside in the repository in `directory`, by whomever. */
export async function findPutAside(directory: string): Promise<PutAside[]> {
  const objects = join(directory, 'objects')
  const found = await Promise.all([
    matching(directory, atTop),
    matching(objects, ofObjects),
    matching(join(objects, 'info'), ofObjects),
    looseObjects(objects),
    packs(join(objects, 'pack')),
    locksOfRefs(join(directory, 'refs')),
  ])
  return withInodes(found.flat())
}

async function matching(directory: string, pattern: RegExp): Promise<string[]> {
  return (await namesIn(directory)).filter((name) => pattern.test(name)).map((name) => join(directory, name))
}

async function looseObjects(objects: string): Promise<string[]> {
  const directories = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return (await Promise.all(directories.map((name) => matching(join(objects, name), ofObjects)))).flat()
}

/** A pack counts for git with its index alone, which comes last. */
async function packs(directory: string): Promise<string[]> {
  const names = new Set(await namesIn(directory))
  const left = [...names].filter((name) => {
    const [, pack] = ofPack.exec(name) ?? []
    return ofPacks.test(name) || (pack !== undefined && !names.has(`${pack}.idx`))
  })
  return left.map((name) => join(directory, name))
}

/** No ref ends like a lock (git-check-ref-format(1)). */
async function locksOfRefs(directory: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, entry.name)
    if (entry.name.endsWith('.lock')) found.push(path)
    else if (entry.isDirectory()) found.push(...(await locksOfRefs(path)))
  }
  return found
}

async function withInodes(paths: string[]): Promise<PutAside[]> {
  const found: PutAside[] = []
  for (const path of paths) {
    const inode = await inodeOf(path)
    if (inode !== undefined) found.push({ path, inode })
  }
  return found
}

function inodeOf(path: string): Promise<number | undefined> {
  return lstat(path).then(
    ({ ino }) => ino,
    () => undefined,
  )
}

/** Removes them, but none that was made anew since: somebody else may have removed the one before. */
export async function removeUnchanged(found: PutAside[]): Promise<void> {
  for (const { path, inode } of found)
    if ((await inodeOf(path)) === inode) await rm(path, { recursive: true, force: true })
}
