/** Which package manager the sources of a build are installed with, and in which version. */
import { join } from 'node:path'
import { type Found, hasFile, inFolder } from '../../../lib/frameworks/found.ts'
import { type ManagerName, managers } from '../../../lib/frameworks/manager-table.ts'
import { ManifestProblem } from '../../../lib/frameworks/manifest.ts'
import { managerOf } from '../../../lib/frameworks/package-manager.ts'
import { foldersAbove } from '../../../lib/frameworks/workspace.ts'
import { readUpTo, withRegularFile } from '../../../stores/data-dir/read-bounded.ts'
import { foundOnDisk } from '../found-on-disk.ts'
import { lockHeadBytes, majorsByLock } from './lock-version.ts'

export type WantedManager = {
  name: Exclude<ManagerName, 'npm'>
  /** A version or a range of them. */
  version: string
  /** The major versions that do as well; none where a manifest names the version. */
  others: readonly number[]
  /** The digest of its package, as the manifest has it: `sha512.1a2b...`. */
  digest: string | undefined
}

/**
 * The package manager of the package in the directory `folder` of `files`; undefined for npm, which comes
 * with Node, and where a manifest can't be read, as every manager says itself.
 */
export async function wantedManager(files: string, folder: string): Promise<WantedManager | undefined> {
  const found = foundOnDisk(files)
  const below = folder === '.' ? '' : folder
  try {
    const { name, version, digest } = await managerOf(found, below)
    if (name === 'npm') return undefined
    if (version !== undefined) return { name, version, others: [], digest }
    const majors = majorsByLock(name, lockHead(found, files, { name, below }))
    return { name, version: `${majors[0]}`, others: majors, digest }
  } catch (error) {
    if (error instanceof ManifestProblem) return undefined
    throw error
  }
}

/** The beginning of the manager's nearest lock file. */
function lockHead(
  found: Found,
  files: string,
  { name, below }: { name: ManagerName; below: string },
): string {
  for (const folder of [below, ...foldersAbove(below)]) {
    const lock = managers[name].locks
      .map((each) => inFolder(folder, each))
      .find((each) => hasFile(found, each))
    if (lock === undefined) continue
    const head = withRegularFile(join(files, lock), 'refused', (fd) => readUpTo(fd, lockHeadBytes))
    return Buffer.isBuffer(head) ? head.toString('utf8') : ''
  }
  return ''
}
