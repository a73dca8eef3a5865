/** Which directories of a build are kept for the next one: the only list of them. */

/** A part of a cache: installed packages, downloads of package managers, or caches of frameworks. */
export type Part = 'packages' | 'downloads' | 'results'

/** Below what a path is: the build's home, all of its files, or its root directory. */
type Base = 'home' | 'files' | 'root'

/** A directory, by its path below `base`. */
export type CachedPath = { base: Base; path: string }

/** The packages of a project, which stay as the package manager left them. */
const installedPackages: CachedPath = { base: 'root', path: 'node_modules' }

/** The downloads of package managers, where each keeps them unless it is set otherwise. */
const downloads: CachedPath[] = [
  { base: 'home', path: '.npm/_cacache' },
  { base: 'home', path: '.cache/yarn' },
  { base: 'home', path: '.yarn/berry/cache' },
  { base: 'home', path: '.local/share/pnpm/store' },
  // pnpm's store is on the mount of the project, if its home is on another.
  { base: 'files', path: '.pnpm-store' },
  { base: 'home', path: '.bun/install/cache' },
  { base: 'home', path: '.cache/pip' },
  { base: 'home', path: '.cache/uv' },
  { base: 'home', path: '.cargo/registry' },
  { base: 'home', path: 'go/pkg/mod' },
]

/** The caches of frameworks and compilers. */
const results: CachedPath[] = [
  'node_modules/.cache',
  'node_modules/.vite',
  'node_modules/.astro',
  '.astro',
  '.next/cache',
  '.angular/cache',
  '.parcel-cache',
  '.vitepress/cache',
  '.turbo',
  '.jekyll-cache',
  'resources/_gen',
].map((path) => ({ base: 'root', path }))
results.push({ base: 'home', path: '.cache/go-build' }, { base: 'home', path: '.cache/hugo_cache' })

/** The directories of each part. */
export const cachedPaths: Record<Part, CachedPath[]> = {
  packages: [installedPackages],
  downloads,
  results,
}
