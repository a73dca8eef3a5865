/** Paths without links. */
import { realpathSync } from 'node:fs'

/** The path without links; as it is given where nothing can be found there, which its reader reports. */
export function realpathIfAny(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
