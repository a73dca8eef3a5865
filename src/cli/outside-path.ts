/** Where programs are looked for that a command starts. */
import { delimiter, isAbsolute } from 'node:path'

/** `PATH` without the programs of a repository: relative entries, and those that `npx` puts first. */
export function withoutRepositories(path: string): string {
  const isOutside = (entry: string) => isAbsolute(entry) && !entry.split(/[\\/]/).includes('node_modules')
  return path.split(delimiter).filter(isOutside).join(delimiter)
}
