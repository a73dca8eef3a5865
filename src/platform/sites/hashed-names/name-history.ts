/**
 * The files that a project has served under names with a hash. A file that changed under its name shows that
 * the name has no hash of its content, whatever it looks like.
 */
import { createHash } from 'node:crypto'

/**
 * Both are lists of 48-bit digests in base64url, 8 characters each: `seen` has pairs of a path and a file,
 * the latest last; `changed` has paths with different files, for good, or is `*` for every path.
 */
export type NameHistory = { seen: string; changed: string }

export const emptyHistory: NameHistory = { seen: '', changed: '' }

/** So many names are remembered after they are gone from a project's deployments: 128 KiB. */
const maxSeen = 8_192

/** In a project in which more names changed, no name is believed to be a hash. */
const maxChanged = 8_192

const everything = '*'

const keyCharacters = 8
const keyBytes = 6

/** `sha256` in hex. */
type NamedFile = { path: string; sha256: string }

/** `isNew` if it differs from before, `hasChanged` if a path is known to have changed that wasn't before. */
type LaterHistory = NameHistory & { isNew: boolean; hasChanged: boolean }

/** The history with the files of one more deployment. Yields where it may be interrupted. */
export function* addToHistory(
  history: NameHistory,
  files: readonly NamedFile[],
): Generator<void, LaterHistory> {
  const { seen, changed } = history
  if (changed === everything) return { ...history, isNew: false, hasChanged: false }
  const records = split(seen)
  const latest = new Map(records.flatMap((key, at) => (at % 2 ? [] : [[key, records[at + 1]]])))
  const found = new Set(split(changed))
  const before = found.size
  let isNew = false
  for (const { path, sha256 } of files) {
    yield
    const key = keyOf(path)
    if (found.has(key)) continue
    const file = Buffer.from(sha256.slice(0, 2 * keyBytes), 'hex').toString('base64url')
    const known = latest.get(key)
    latest.delete(key)
    if (known === undefined || known === file) latest.set(key, file)
    else found.add(key)
    isNew ||= known !== file
  }
  const pairs = [...latest].slice(-Math.max(maxSeen, files.length)).flat()
  const added = {
    seen: pairs.join(''),
    changed: found.size > maxChanged ? everything : [...found].join(''),
  }
  return { ...(isNew ? added : history), isNew, hasChanged: found.size > before }
}

/** Whether a path's file is known to have changed, from `changed` of a history. */
export function createHasChanged(changed: string): (path: string) => boolean {
  if (changed === everything) return () => true
  const keys = new Set(split(changed))
  return (path) => keys.size > 0 && keys.has(keyOf(path))
}

function keyOf(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, keyCharacters)
}

function split(keys: string): string[] {
  return keys.match(/.{8}/g) ?? []
}
