/** Recognizes the sources of a site by what lies in a directory. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { readFoundFile } from '../read-file.ts'
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

/** Of a manifest, or the configuration of a framework. */
export const maxManifestBytes = 1024 * 1024

/**
 * The sources in `directory`; undefined if they are of no framework that is known.
 * @throws Failure (2) for a `package.json`, or a configuration, that is a link, no regular file, or too
 * large.
 */
export function recognize(directory: string): Sources | undefined {
  const names = namesIn(directory)
  const manifest = names.includes('package.json') ? readManifest(join(directory, 'package.json')) : undefined
  const dependencies = manifest ? [...keysOf(manifest.dependencies), ...keysOf(manifest.devDependencies)] : []
  const found = frameworks.find(({ dependency, files = [] }) =>
    dependency === undefined
      ? files.some((file) => existsSync(join(directory, file)))
      : dependencies.includes(dependency),
  )
  if (!found) return undefined
  const manager = found.dependency === undefined ? undefined : managerOf(names)
  const hasScript = manifest !== undefined && keysOf(manifest.scripts).includes('build')
  return {
    framework: found.name,
    install: manager?.install,
    build: manager ? (hasScript ? `${manager.run} build` : `${manager.exec} ${found.build}`) : found.build,
    output: found.output.replace('<name>', typeof manifest?.name === 'string' ? manifest.name : '.'),
    advice: adviceFor(found, directory, names),
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // Whoever reads the site reports what is wrong with it.
    return []
  }
}

function readManifest(path: string): Record<string, unknown> | undefined {
  const text = readFoundFile(path, { maxBytes: maxManifestBytes })
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

function adviceFor({ needs }: Framework, directory: string, names: string[]): string | undefined {
  if (!needs) return undefined
  const configured = names.some(
    (name) =>
      needs.files.test(name) &&
      needs.content.test(readFoundFile(join(directory, name), { maxBytes: maxManifestBytes }) ?? ''),
  )
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
