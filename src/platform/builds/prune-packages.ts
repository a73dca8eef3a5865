/** Removes the packages that only a build needs, before the files of its server are kept. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Found, hasFile, inFolder } from '../../lib/frameworks/found.ts'
import type { ManagerName } from '../../lib/frameworks/manager-table.ts'
import { ManifestProblem, parseManifest } from '../../lib/frameworks/manifest.ts'
import { managerOf } from '../../lib/frameworks/package-manager.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { BuildError } from '../deployments/queued/fail.ts'
import { foundOnDisk } from './found-on-disk.ts'
import { type CommandDeps, type Run, runStep, say } from './run-step.ts'

/** `root` has the packages, `folder` what the server runs in; both relative to the workspace's files. */
type Installed = { root: string; folder: string; start: string }

/** The commands of the managers that have one, and whether it does for a workspace. */
const commands: Partial<Record<ManagerName, { command: string; isForWorkspaces: boolean }>> = {
  npm: {
    command: 'npm prune --omit=dev --ignore-scripts --no-audit --no-fund',
    isForWorkspaces: true,
  },
  pnpm: { command: 'pnpm prune --prod --ignore-scripts', isForWorkspaces: false },
}

/**
 * Runs the manager's command in `root`. Where it has none, or that fails, all packages stay, and the log says
 * so; they do, too, where one of them starts the server. Resolves to the error of a build that has reached
 * one of its limits.
 * @throws the reason of `signal` when that aborts.
 */
export async function prunePackages(
  deps: CommandDeps,
  run: Run,
  { endMs, ...installed }: Installed & { endMs: number },
  signal: AbortSignal,
): Promise<BuildError | undefined> {
  const { workspace, job } = run
  // Packages that came with the sources are sources.
  if (job.build.install_command === null) return undefined
  const plan = await planPruning(workspace.files, installed)
  if ('remark' in plan) {
    if (plan.remark) say(deps, run, plan.remark, plan.level)
    return undefined
  }
  say(deps, run, 'Removing packages that only the build needs…')
  const step = { step: 'prune', command: plan.command, directory: installed.root, endMs } as const
  const { error } = await runStep(deps, run, step, signal)
  if (error && error.reason !== 'build_failed') return error
  if (error) say(deps, run, `${error.message} All packages are kept.`, 'warn')
  return undefined
}

type Plan = { command: string } | { remark: string | undefined; level: 'info' | 'warn' }

/** The command, or what to say where all packages stay. */
async function planPruning(files: string, { root, folder, start }: Installed): Promise<Plan> {
  const nothing = { remark: undefined, level: 'info' } as const
  const modules = await stat(join(files, root, 'node_modules')).catch(() => undefined)
  if (!modules?.isDirectory()) return nothing
  try {
    const found = foundOnDisk(files)
    const below = folder === '.' ? '' : folder
    const names = await developmentPackages(found, new Set([root === '.' ? '' : root, below]))
    if (names.length === 0) return nothing
    const needed = names.find((name) => isNamedIn(start, name))
    if (needed !== undefined)
      return { remark: `Keeps all packages, since \`${needed}\` starts the server.`, level: 'info' }
    const { name } = await managerOf(found, below)
    const known = commands[name]
    if (known && (known.isForWorkspaces || root === folder)) return { command: known.command }
    return {
      remark: `Keeps all packages: ${name} can't remove those that only the build needs.`,
      level: 'warn',
    }
  } catch (error) {
    if (error instanceof ManifestProblem) return nothing
    throw error
  }
}

async function developmentPackages(found: Found, folders: Iterable<string>): Promise<string[]> {
  const names: string[] = []
  for (const folder of folders) {
    const path = inFolder(folder, 'package.json')
    if (!hasFile(found, path)) continue
    const { devDependencies } = parseManifest(path, await found.textOf(path))
    if (isRecord(devDependencies)) names.push(...Object.keys(devDependencies))
  }
  return names
}

/** Whether a command names a package, as in `tsx a.ts` and `node -r ts-node/register a.ts`. */
function isNamedIn(command: string, name: string): boolean {
  return command.split(/[\s=;&|()"']+/).some((word) => word === name || word.startsWith(`${name}/`))
}
