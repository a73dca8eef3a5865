/** Finds the files of a site that its symbolic links lead to. */
import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { failed } from '../command-failure.ts'
import { ignoreFile } from './ignore-rules.ts'
import { isBelow } from './is-below.ts'

/**
 * The file of `deployed` that the link at `path` leads to, as which it is deployed.
 * @throws Failure for a link to anything else: it may be a private file.
 */
export function linkedFile<T>(top: string, path: string, deployed: Map<string, T>): T {
  const target = targetOf(top, path)
  const file = target === undefined ? undefined : deployed.get(target)
  if (file !== undefined) return file
  const remedy = `Replace it with a copy, or add it to ${ignoreFile}.`
  if (target === undefined || !lstatSync(join(top, target)).isFile()) {
    throw failed(`${path} is a link, but not to a file of the site. ${remedy}`)
  }
  throw failed(`${path} is a link to ${target}, which is not deployed. ${remedy}`)
}

/** Where the link leads, relative to the site's directory; undefined where that is outside, or nothing. */
function targetOf(top: string, path: string): string | undefined {
  try {
    // In the spelling that the directory has.
    const target = relative(top, realpathSync.native(join(top, path)))
    return isBelow(target) ? target.split(sep).join('/') : undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}
