/** Builds a site on this machine, with the commands of its framework. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFirstPages, madeSince } from '../../lib/frameworks/first-pages.ts'
import { managerNamed } from '../../lib/frameworks/manager-table.ts'
import { maxManifestBytes } from '../../lib/frameworks/manifest.ts'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import { failed } from '../command-failure.ts'
import type { Io } from '../io.ts'
import { readDecidingFile } from '../read-file.ts'
import { warn } from '../terminal/output.ts'
import { workspaceAround } from './place.ts'

/** Sources of which it is known how they are built. */
export type BuildableSources = Sources & { build: string }

/**
 * Installs what is missing and builds; what the commands print goes to standard error. Resolves to the
 * directory with the site, relative to `directory`: the expected one, or where none is, the one that the
 * build made.
 * @throws Failure when a command fails, when it leaves no site, and on Ctrl-C; (2) for the commands of
 * another user.
 */
export async function buildHere(io: Io, directory: string, sources: BuildableSources): Promise<string> {
  const { install, build, output } = sources
  // Its commands run in the name of this user.
  readDecidingFile(join(directory, 'package.json'), maxManifestBytes)
  const before = await findFirstPages(directory)
  const workspace = await workspaceAround(directory)
  const roots = [directory, ...(workspace ? [workspace.root] : [])]
  const isInstalled = roots.some((root) => existsSync(join(root, 'node_modules')))
  if (install !== undefined && !isInstalled) await run(io, directory, install)
  await run(io, directory, build)
  if (output !== undefined && existsSync(join(directory, output))) return output
  const made = madeSince(before, await findFirstPages(directory))
  const [only] = made
  if (output === undefined && only !== undefined && made.length === 1) return only
  throw failed(
    `${build} left no ${output === undefined ? 'single site' : `directory ${output}`}. ${next(made)}`,
  )
}

function next(made: string[]): string {
  const [first] = made
  if (first === undefined) return 'Deploy the one with its output: svc deploy <directory>.'
  const those = made.slice(0, maxNamed).join(', ')
  return `It made pages in ${those}. Deploy the one with the site: svc deploy ${first}.`
}

/** As many directories are named. */
const maxNamed = 3

async function run({ stderr, env, signal }: Io, cwd: string, command: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  warn({ stderr }, `$ ${command}`)
  const child = spawn(command, { cwd, env, shell: true, signal, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(stderr, { end: false })
  child.stderr.pipe(stderr, { end: false })
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit, by) => resolve(exit ?? by ?? 1))
  })
  signal.throwIfAborted()
  if (code !== 0) throw failed(`${command} ended with ${code}.${code === notFound ? missing(command) : ''}`)
}

/** The exit code of a shell that doesn't find a program (POSIX, "Exit Status for Commands"). */
const notFound = 127

function missing(command: string): string {
  const manager = managerNamed(command.split(' ')[0])
  if (manager === undefined) return ''
  return (
    ` If ${manager} is not installed here: npm install --global ${manager}. ` +
    'With --remote the server builds.'
  )
}
