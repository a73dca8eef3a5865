/** Recognizes the sources of a site by the files at their root. */
import { isRecord } from '../is-record.ts'
import { type Framework, frameworks } from './table.ts'

/** Sources, and the commands that make a site of them. */
export type Sources = {
  framework: string
  /** Installs the dependencies; undefined where there are none. */
  install: string | undefined
  build: string
  /** Where the site is then, relative to the sources. */
  output: string
  /** The change that any of this needs before it makes a static site. */
  advice: string | undefined
}

/** The largest manifest, or configuration of a framework, in bytes. */
export const maxManifestBytes = 1024 * 1024

export type Found = {
  /** The names of the files and folders at the root. */
  names: string[]
  /** Whether there is a file at the path, relative to the root. */
  has: (path: string) => boolean
  /** The text of a file at the root that `decides`; undefined without one. */
  textOf: (name: string) => string | undefined
}

/** Whether the content of a file of this name at the root says something about the framework. */
export function decides(name: string): boolean {
  return name === 'package.json' || frameworks.some(({ needs }) => needs?.files.test(name))
}

/** The sources that were found; undefined if they are of no framework that is known. */
export function recognizeFound(found: Found): Sources | undefined {
  const { names, has, textOf } = found
  const manifest = names.includes('package.json') ? parseManifest(textOf('package.json')) : undefined
  const dependencies = manifest ? [...keysOf(manifest.dependencies), ...keysOf(manifest.devDependencies)] : []
  const framework = frameworks.find(({ dependency, files = [] }) =>
    dependency === undefined ? files.some(has) : dependencies.includes(dependency),
  )
  if (!framework) return undefined
  const manager = framework.dependency === undefined ? undefined : managerOf(names)
  const hasScript = manifest !== undefined && keysOf(manifest.scripts).includes('build')
  const { build, output } = framework
  return {
    framework: framework.name,
    install: manager?.install,
    build: manager ? (hasScript ? `${manager.run} build` : `${manager.exec} ${build}`) : build,
    output: output.replace('<name>', typeof manifest?.name === 'string' ? manifest.name : '.'),
    advice: adviceFor(framework, found),
  }
}

function parseManifest(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function adviceFor({ needs }: Framework, { names, textOf }: Found): string | undefined {
  if (!needs) return undefined
  const configured = names.some((name) => needs.files.test(name) && needs.content.test(textOf(name) ?? ''))
  return configured ? undefined : needs.advice
}

const npm = { install: 'npm install', run: 'npm run', exec: 'npm exec --' }

/** The commands of the package manager whose lock file is there. */
function managerOf(names: string[]): typeof npm {
  if (names.includes('pnpm-lock.yaml')) {
    return { install: 'pnpm install --frozen-lockfile', run: 'pnpm run', exec: 'pnpm exec' }
  }
  if (names.includes('yarn.lock')) return { install: 'yarn install', run: 'yarn run', exec: 'yarn exec' }
  if (names.includes('bun.lock') || names.includes('bun.lockb')) {
    return { install: 'bun install --frozen-lockfile', run: 'bun run', exec: 'bun x' }
  }
  if (names.includes('package-lock.json')) return { ...npm, install: 'npm ci' }
  return npm
}
