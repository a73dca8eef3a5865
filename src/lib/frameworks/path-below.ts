/** Paths that the configuration of a framework gives. */

/**
 * The path that leads from the root through `parts`, without `.` and `..`; undefined where it leads out, or
 * to the root itself.
 */
export function pathBelow(...parts: string[]): string | undefined {
  const names: string[] = []
  for (const part of parts) {
    if (/^(?:[\\/]|[A-Za-z]:)/.test(part)) return undefined
    for (const name of part.split('/')) {
      if (name === '' || name === '.') continue
      if (name !== '..') names.push(name)
      else if (names.pop() === undefined) return undefined
    }
  }
  return names.length === 0 ? undefined : names.join('/')
}
