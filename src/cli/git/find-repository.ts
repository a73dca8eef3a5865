/**
 * Finds the git repository that a directory is a checkout of. Git isn't asked: it does what the configuration
 * of a repository says, which may be a stranger's.
 */
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isOwnerTrusted } from '../../stores/data-dir/trusted-owner.ts'
import { readGitFile } from './read-git-file.ts'

/**
 * Directories: that of this checkout, with its HEAD, and the one that all checkouts share, with refs and
 * objects.
 */
export type Repository = { checkout: string; common: string }

/**
 * The repository whose `.git` is closest, in `start` or above; undefined if there is none that may be
 * trusted.
 */
export function findRepository(start: string): Repository | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    const stat = lookAt(path)
    if (stat) return isOwnerTrusted(stat) ? repositoryAt(path, stat) : undefined
    if (dirname(folder) === folder) return undefined
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    // Folders above may be closed to this user.
    return undefined
  }
}

function repositoryAt(path: string, stat: Stats): Repository | undefined {
  if (stat.isDirectory()) return { checkout: path, common: path }
  const [, target] = /^gitdir: (.+?)\r?\n?$/.exec(readGitFile(dirname(path), '.git') ?? '') ?? []
  if (target === undefined) return undefined
  const directory = realpathSync.native(resolve(dirname(path), target))
  if (!isOwnerTrusted(lstatSync(directory))) return undefined
  return worktreeAt(directory, path) ?? submoduleAt(directory, path)
}

/**
 * A further checkout, to which the repository points back: a `.git` that came along may lead to any other
 * repository.
 */
function worktreeAt(directory: string, path: string): Repository | undefined {
  const worktrees = dirname(directory)
  const back = readGitFile(directory, 'gitdir')?.trim()
  if (basename(worktrees) !== 'worktrees' || !back) return undefined
  const isOwn = realpathSync.native(resolve(directory, back)) === realpathSync.native(path)
  return isOwn ? { checkout: directory, common: dirname(worktrees) } : undefined
}

/** A submodule, whose repository is within that of the project around it. */
function submoduleAt(directory: string, path: string): Repository | undefined {
  const around = findRepository(dirname(dirname(path)))
  const modules = around && join(realpathSync.native(around.checkout), 'modules')
  if (!modules || !directory.startsWith(modules + sep)) return undefined
  return { checkout: directory, common: directory }
}
