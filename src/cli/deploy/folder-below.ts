/** Finds the directory that a file of the repository, and not the person, names. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { dataFiles, isNeverDeployed } from '../../lib/names/never-deployed.ts'
import { usageFailure } from '../command-failure.ts'
import { isBelow } from './is-below.ts'

/**
 * The directory `path` in `folder`, without links; as it is written if it doesn't exist.
 * @throws Failure (2) where links lead out of the folder, or into what is never deployed.
 */
export function folderBelow(folder: string, path = '.'): string {
  const wanted = join(folder, path)
  const root = realpathIfAny(wanted)
  const below = relative(realpathIfAny(folder), root)
  if (!isBelow(below)) {
    throw usageFailure(
      `${wanted} is a link out of ${folder}, to ${root}. ` +
        'If that is to be deployed, pass it: svc deploy <directory>.',
    )
  }
  const parents = below.split(sep).map((_name, at, names) => join(folder, ...names.slice(0, at + 1)))
  if (parents.some((parent) => isNeverDeployed(basename(parent)) || holdsData(parent))) {
    throw usageFailure(
      `${root} is never deployed because a file names it. If it is to be, pass it: svc deploy <directory>.`,
    )
  }
  return root
}

/** Whether a directory is that of a node's data. */
function holdsData(directory: string): boolean {
  return dataFiles.some((name) => existsSync(join(directory, name)))
}

/** @throws Failure (2) for a directory that is closed, or a link to itself. */
function realpathIfAny(directory: string): string {
  try {
    return realpathSync.native(directory)
  } catch (error) {
    // Whoever reads the directory reports that.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return directory
    const reason = error instanceof Error ? error.message : String(error)
    throw usageFailure(`${directory} can't be read: ${reason}`)
  }
}
