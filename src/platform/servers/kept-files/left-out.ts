/** Files that a server is kept without, since it never reads them. */

/** Names that are left out wherever they are. */
const names = new Set([
  // History, and with it what was removed from the files.
  '.git',
  '.hg',
  '.svn',
  // What package managers have downloaded, and installed already.
  '.npm',
  '.pnpm-store',
  // Results of builds, for the next build.
  '.turbo',
  '.parcel-cache',
  // What the platform reads itself.
  '.svcignore',
])

/** Directories that are left out in any directory: caches of builds. */
const endings = ['node_modules/.cache', 'node_modules/.vite', '.next/cache', '.angular/cache']

/** Yarn's archives, which are the packages themselves where there are no `node_modules`. */
const yarnCache = '.yarn/cache'

/** Yarn's loader of packages from archives. */
export const plugAndPlay = '.pnp.cjs'

/** Whether `path` is left out; `isPlugAndPlay` where the loader of Yarn is at the root. */
export function isLeftOut(path: string, isPlugAndPlay: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (names.has(name) || path === 'svc.json') return true
  const isAt = (ending: string) => path === ending || path.endsWith(`/${ending}`)
  return endings.some(isAt) || (path === yarnCache && !isPlugAndPlay)
}
