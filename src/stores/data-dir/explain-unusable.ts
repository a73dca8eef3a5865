/** Says what to do where the data directory can't be used at the start. */
import { access, constants, readdir, statfs } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { SettingsError } from '../../lib/settings/error.ts'

type Problem = { is: string; remedy: string }

const notAllowed: Problem = {
  is: "can't be used by the user of this process",
  remedy: 'Correct the owner or the mode',
}
const noDirectory: Problem = { is: 'is not a directory', remedy: 'Move what has its name' }

/** By the codes of the system. */
const problems = new Map<string, Problem>([
  ['ENOSPC', { is: 'has no space left, or its disk too many files', remedy: 'Free some' }],
  ['EDQUOT', { is: 'has used up the quota of its disk', remedy: 'Free some, raise the quota' }],
  ['EROFS', { is: 'is on a file system that is read-only', remedy: 'Mount it for writing' }],
  ['EACCES', notAllowed],
  ['EPERM', notAllowed],
  ['ENOTDIR', noDirectory],
  ['EEXIST', noDirectory],
])

/** The codes of errors in WebAssembly (WASI), as which the embedded database has them. */
const codesInWasm = new Map([
  [2, 'EACCES'],
  [19, 'EDQUOT'],
  [51, 'ENOSPC'],
  [54, 'ENOTDIR'],
  [63, 'EPERM'],
  [69, 'EROFS'],
])

/** The calls of an open file, whose path the system doesn't name. */
const writing = new Set(['write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'close'])

/** Less than any file takes. */
const leastBytes = 64 * 1024

const maxLookedAt = 100_000

/**
 * A SettingsError where `directory`, or a file in it, can't be used: no space, a quota, a read-only file
 * system, no permission; any other error as it is.
 */
export function explainUnusable(error: unknown, directory: string): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : ''
    const path = pathIn(at)
    const isOurs = path === undefined ? isWriting(at) : isInside(path, directory)
    // Of a file, it is the sign of somebody else's.
    if (code === 'EEXIST' && path !== directory) continue
    if (isOurs && problems.has(code)) return unusable(code, directory, { path, cause: error })
  }
  return error
}

/** The same for an error of the embedded database in `database`, which often names none. */
export async function explainUnopenedEmbedded(
  error: unknown,
  { directory, database }: { directory: string; database: string },
): Promise<unknown> {
  const inWasm = typeof error === 'object' && error !== null && 'errno' in error ? error.errno : undefined
  const code = typeof inWasm === 'number' ? codesInWasm.get(inWasm) : undefined
  const explained = explainUnusable(error, directory)
  if (explained !== error) return explained
  const found = await findUnusable(database)
  if (found) return unusable(found.code, directory, { path: found.path, cause: error })
  if (code) return unusable(code, directory, { path: database, cause: error })
  return error
}

function unusable(
  code: string,
  directory: string,
  { path, cause }: { path: string | undefined; cause: unknown },
): SettingsError {
  const { is, remedy } = problems.get(code) ?? notAllowed
  const at = path === undefined || path === directory ? code : `${code}: ${path}`
  const text = `The data directory ${directory} ${is} (${at}). ${remedy}, or set SVC_DATA_DIR to another one.`
  return new SettingsError(text, { cause })
}

function pathIn(error: Error): string | undefined {
  if ('path' in error && typeof error.path === 'string') return error.path
  // Of a socket, which has an address besides a port otherwise.
  const isSocket = 'address' in error && !('port' in error && error.port !== undefined && error.port !== -1)
  return isSocket && typeof error.address === 'string' ? error.address : undefined
}

function isWriting(error: Error): boolean {
  return 'syscall' in error && typeof error.syscall === 'string' && writing.has(error.syscall)
}

/** Whether `path` is in `directory`, or one of those that it is in. */
function isInside(path: string, directory: string): boolean {
  const isBelow = (inner: string, outer: string) => !/^\.\.(\/|$)/.test(relative(outer, inner))
  return isBelow(path, directory) || isBelow(directory, path)
}

/** Resolves to the error code and path that make `directory` unusable; to undefined if none is found. */
async function findUnusable(directory: string): Promise<{ code: string; path: string } | undefined> {
  try {
    const disk = await statfs(directory)
    const isFull = disk.bavail * disk.bsize < leastBytes || (disk.files > 0 && disk.ffree === 0)
    if (isFull) return { code: 'ENOSPC', path: directory }
    const names = await readdir(directory, { recursive: true })
    for (const name of ['', ...names.slice(0, maxLookedAt)]) {
      await access(join(directory, name), constants.R_OK | constants.W_OK)
    }
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const path = (error instanceof Error && pathIn(error)) || directory
    return problems.has(code) ? { code, path } : undefined
  }
}
