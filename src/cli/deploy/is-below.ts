/** Tells what is inside of a directory. */
import { isAbsolute, sep } from 'node:path'

/** Whether a path from `relative`, made of resolved ones, stays in the directory that it starts from. */
export function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}
