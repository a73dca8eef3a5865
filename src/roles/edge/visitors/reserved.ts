/** The paths on every host that are the platform's, and never a site's. */
import { platformDirectory } from '../../../lib/names/platform-directory.ts'
import type { Target } from '../wire/target.ts'

const directory = platformDirectory.split('/')

/**
 * Whether a path is, or could be taken for, one in the platform's directory: in any case, with empty segments
 * or parameters (`;`). How it was encoded doesn't matter, since a target's path is decoded.
 */
export function isReserved({ path }: Pick<Target, 'path'>): boolean {
  if (!mayBeHidden(path)) return false
  const segments = path.split('/').filter((segment) => segment !== '')
  return directory.every((name, at) => segments[at]?.split(';', 1)[0]?.toLowerCase() === name)
}

/** A dot, or a slash that may lead to one: what hardly any path begins with. */
function mayBeHidden(path: string): boolean {
  const first = path.charCodeAt(0)
  return first === 0x2e || first === 0x2f
}
