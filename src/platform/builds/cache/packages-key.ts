/** The key of installed packages: equal where one build installed what another would install. */
import { hash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** The directory of the project, its install command, and the variables of its build. */
type Install = { directory: string; command: string; env: Record<string, string> }

/** Commands that install what the lock file says and do nothing else. */
const plainInstall = /^npm (?:ci|install|i)(?: --(?:no-audit|no-fund|prefer-offline))*$/

/** Scripts of a project that npm runs when it installs (npm's documentation, "Scripts"). */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'dependencies',
]

/**
 * Packages whose install scripts write into their own directory alone, or not at all. Those of others may
 * download to a home directory, which would be missing where installing is skipped.
 */
const harmlessScripts = new Set([
  '@parcel/watcher',
  '@swc/core',
  'core-js',
  'core-js-pure',
  'esbuild',
  'fsevents',
  'sharp',
])

const dependenciesSchema = z.record(z.string(), z.unknown()).optional()

const manifestSchema = z.object({
  dependencies: dependenciesSchema,
  devDependencies: dependenciesSchema,
  optionalDependencies: dependenciesSchema,
  overrides: z.unknown().optional(),
  scripts: dependenciesSchema,
  workspaces: z.unknown().optional(),
})

type Manifest = z.infer<typeof manifestSchema>

/** A package-lock.json of version 2 or 3 (npm's documentation, "package-lock.json"). */
const lockSchema = z.object({
  lockfileVersion: z.union([z.literal(2), z.literal(3)]),
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      inBundle: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      link: z.boolean().optional(),
      dependencies: dependenciesSchema,
      devDependencies: dependenciesSchema,
      optionalDependencies: dependenciesSchema,
    }),
  ),
})

type Lock = z.infer<typeof lockSchema>

/**
 * A key that is equal for installs with equal results; undefined where a result can't be used in place of an
 * install: another package manager or command, install scripts, workspaces, packages without a digest.
 */
export async function packagesKey({ directory, command, env }: Install): Promise<string | undefined> {
  if (!plainInstall.test(command.trim())) return undefined
  if (await hasAny(directory, ['npm-shrinkwrap.json', 'binding.gyp'])) return undefined
  const [lockText, manifestText, npmrc] = await Promise.all(
    ['package-lock.json', 'package.json', '.npmrc'].map((name) => readIfAny(join(directory, name))),
  )
  const lock = parse(lockSchema, lockText)
  const manifest = parse(manifestSchema, manifestText)
  if (!lock || !manifest || !isInStep(manifest, lock) || !isReplaceable(manifest, lock)) return undefined
  const settings = Object.entries(env).filter(([name]) => /^(?:NODE_ENV|npm_config_.*)$/i.test(name))
  const parts = [
    command.trim(),
    lockText,
    npmrc,
    manifest.overrides,
    settings.sort(([a], [b]) => (a < b ? -1 : 1)),
    [process.version, process.platform, process.arch],
  ]
  return hash('sha256', JSON.stringify(parts))
}

/** Whether the lock file was made for these dependencies; if not, `npm install` looks for newer packages. */
function isInStep(manifest: Manifest, { packages }: Lock): boolean {
  const root = packages['']
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  return kinds.every((kind) => isDeepStrictEqual(manifest[kind] ?? {}, root?.[kind] ?? {}))
}

function isReplaceable({ scripts = {}, workspaces }: Manifest, { packages }: Lock): boolean {
  if (workspaces !== undefined || installScripts.some((name) => name in scripts)) return false
  return Object.entries(packages).every(([path, { integrity, inBundle, hasInstallScript, link }]) => {
    if (path === '') return true
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const isKnown = integrity !== undefined || inBundle === true
    const isHarmless = hasInstallScript !== true || harmlessScripts.has(name)
    return path.startsWith('node_modules/') && link !== true && isKnown && isHarmless
  })
}

function parse<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    return schema.parse(JSON.parse(text ?? ''))
  } catch {
    // npm says what is wrong with it.
    return undefined
  }
}

async function hasAny(directory: string, names: string[]): Promise<boolean> {
  const found = await Promise.all(
    names.map((name) =>
      access(join(directory, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

function readIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}
