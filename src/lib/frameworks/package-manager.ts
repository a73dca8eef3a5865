/** The package manager of a project. */

export type PackageManager = { install: string; run: string; exec: string }

const npm: PackageManager = { install: 'npm install', run: 'npm run', exec: 'npm exec --' }

/** The commands of the package manager whose lock file is among these names. */
export function managerOf(names: ReadonlySet<string>): PackageManager {
  if (names.has('pnpm-lock.yaml')) {
    return { install: 'pnpm install --frozen-lockfile', run: 'pnpm run', exec: 'pnpm exec' }
  }
  if (names.has('yarn.lock')) return { install: 'yarn install', run: 'yarn run', exec: 'yarn exec' }
  if (names.has('bun.lock') || names.has('bun.lockb')) {
    return { install: 'bun install --frozen-lockfile', run: 'bun run', exec: 'bun x' }
  }
  if (names.has('package-lock.json')) return { ...npm, install: 'npm ci' }
  return npm
}
