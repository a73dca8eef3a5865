/** The package managers of JavaScript, with their commands. */

type Manager = {
  /** Its lock files. */
  locks: readonly string[]
  /** Other files that none but it has. */
  marks: readonly string[]
  install: string
  /** Installs what the lock file says. */
  frozen: string
  run: string
  exec: string
}

/** The file in which pnpm has the patterns of a workspace. */
export const pnpmWorkspace = 'pnpm-workspace.yaml'

/** In the order in which their files count. */
export const managers = {
  pnpm: {
    locks: ['pnpm-lock.yaml'],
    marks: [pnpmWorkspace],
    install: 'pnpm install',
    frozen: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    exec: 'pnpm exec',
  },
  yarn: {
    locks: ['yarn.lock'],
    marks: ['.yarnrc.yml'],
    install: 'yarn install',
    frozen: 'yarn install',
    run: 'yarn run',
    exec: 'yarn exec',
  },
  bun: {
    locks: ['bun.lock', 'bun.lockb'],
    marks: [],
    install: 'bun install',
    frozen: 'bun install --frozen-lockfile',
    run: 'bun run',
    exec: 'bun x',
  },
  npm: {
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
    marks: [],
    install: 'npm install',
    frozen: 'npm ci',
    run: 'npm run',
    exec: 'npm exec --',
  },
} as const satisfies Record<string, Manager>

export type ManagerName = keyof typeof managers

/** The lock files of all. */
export const lockFiles: readonly string[] = Object.values(managers).flatMap(({ locks }) => locks)

/** The name of a package manager, if it is one of these. */
export function managerNamed(name: unknown): ManagerName | undefined {
  return managerNames.find((each) => each === name)
}

/** The package manager whose lock file is among the names, else another file of its. */
export function managerByFiles(names: ReadonlySet<string>): ManagerName | undefined {
  const has = (file: string) => names.has(file)
  return (
    managerNames.find((each) => managers[each].locks.some(has)) ??
    managerNames.find((each) => managers[each].marks.some(has))
  )
}

const managerNames = ['pnpm', 'yarn', 'bun', 'npm'] as const satisfies ManagerName[]
