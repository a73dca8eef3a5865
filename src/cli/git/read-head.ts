/** Reads what is checked out: the branch, if it is one, and the commit. */
import type { Repository } from './find-repository.ts'
import { readGitFile } from './read-git-file.ts'

export type Head = {
  /** Undefined where a commit is checked out without a branch. */
  branch: string | undefined
  /** In hex, of SHA-1 or SHA-256. */
  commit: string
}

/** A repository with a hundred thousand branches and tags has a file of this size. */
const maxPackedBytes = 16 * 1024 * 1024

/** As in git. */
const maxSymbolicRefs = 5

/**
 * The commit and branch that are checked out; undefined before the first commit, and for refs that are stored
 * in another way than as files.
 * @throws Failure for a file that is a link, no regular one, or too large.
 */
export function readHead({ checkout, common }: Repository): Head | undefined {
  let content = readGitFile(checkout, 'HEAD')
  let branch: string | undefined
  for (let count = 0; content !== undefined && count <= maxSymbolicRefs; count += 1) {
    const [commit] = /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/.exec(content) ?? []
    if (commit !== undefined) return { branch, commit }
    const [, name] = /^ref:\s*(\S+)\s*$/.exec(content) ?? []
    if (name === undefined || !isRef(name)) return undefined
    branch = name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined
    content = readGitFile(common, name) ?? readPacked(common, name)
  }
  return undefined
}

/**
 * Whether it may be the name of a file (gitrevisions(7), git-check-ref-format(1)), which leads nowhere else.
 */
function isRef(name: string): boolean {
  const segments = name.split('/')
  const isSafe = segments.every((segment) => segment !== '' && !/^\.|\\|:|\.lock$|[. ]$/.test(segment))
  return isSafe && segments[0] === 'refs' && segments.length > 1
}

function readPacked(common: string, name: string): string | undefined {
  const packed = readGitFile(common, 'packed-refs', maxPackedBytes)
  const at = packed?.indexOf(` ${name}\n`) ?? -1
  return packed?.slice(packed.lastIndexOf('\n', at) + 1, Math.max(at, 0))
}
