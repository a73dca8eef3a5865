/** Recognizes archives of sites. */
import { statSync } from 'node:fs'

/** Whether `path` is a file that is named as an archive. */
export function isArchive(path: string): boolean {
  if (!/\.(?:zip|tar|tgz|tar\.gz)$/i.test(path)) return false
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
