/** Paths that the configuration of a framework gives. */
import { createFollow } from '../names/follow-links.ts'

const resolve = createFollow(new Map())

/**
 * The path that leads from the root through `parts`, without `.` and `..`; undefined where it leads out, or
 * to the root itself.
 */
export function pathBelow(...parts: string[]): string | undefined {
  const given = parts.filter((part) => part !== '')
  if (given.some((part) => /^(?:[\\/]|[A-Za-z]:)/.test(part))) return undefined
  return resolve(given.join('/')) || undefined
}
