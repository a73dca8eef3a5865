/** Provides builds with the package manager of their project. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Isolation } from '../../sandbox/launch.ts'
import type { BuildNetwork } from '../../sandbox/registries/network.ts'
import { quote } from '../../sandbox/shell-quote.ts'
import { ownPrograms } from '../../sandbox/start-script.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { fetchScript } from './fetch-script.ts'
import { findHostProgram, hostDirectories } from './host-program.ts'
import { type WantedManager, wantedManager } from './wanted-manager.ts'

/** The names under which the programs of each are run. */
const programs = { pnpm: ['pnpm', 'pnpx'], yarn: ['yarn', 'yarnpkg'], bun: ['bun', 'bunx'] } as const

/** The network, the isolation and the Node of a build. */
type Around = { network: BuildNetwork; isolation: Isolation; node: string }

/**
 * Puts programs first on the build's `PATH` that fetch the package manager of the package in `folder`, in
 * the version that its manifest names, else that of the lock file, when they are first run. Where none is
 * named, and the host has a program that fits the lock file, that is used. Without a network nothing can be
 * fetched.
 */
export async function provideManager(
  workspace: Workspace,
  folder: string,
  { network, isolation, node }: Around,
): Promise<void> {
  if (network === 'none') return
  const wanted = await wantedManager(workspace.files, folder)
  if (!wanted || (await isOnHost(wanted, hostDirectories(isolation, node)))) return
  const directory = join(workspace.home, ownPrograms)
  await mkdir(directory, { recursive: true })
  const script = join(directory, '.fetch.cjs')
  const files = programs[wanted.name].map((name) => [name, programScript(wanted, name)] as const)
  await writeFile(script, fetchScript)
  for (const [name, text] of files) await writeFile(join(directory, name), text, { mode: 0o755 })
  // They are run by the user of the build, whatever the mask of this process is.
  for (const path of [dirname(directory), directory, ...files.map(([name]) => join(directory, name))])
    await chmod(path, 0o755)
  await chmod(script, 0o644)
}

function programScript({ name, version, digest }: WantedManager, program: string): string {
  const isNewYarn = name === 'yarn' && !/^[~^=v ]*[01](?:\.|$)/.test(version)
  const packageName = isNewYarn ? '@yarnpkg/cli-dist' : name
  const given = [name, packageName, version, digest ?? ''].map(quote).join(' ')
  return [
    '#!/bin/sh',
    `own="\${0%/*}/../../.cache/svc/${name}"`,
    `[ -e "$own" ] || node "\${0%/*}/.fetch.cjs" ${given} "$own" || exit`,
    `exec "$own/node_modules/.bin/${program}" "$@"`,
    '',
  ].join('\n')
}

/** Whether the host has a program that does as well. */
async function isOnHost({ name, others }: WantedManager, directories: readonly string[]): Promise<boolean> {
  if (others.length === 0) return false
  const found = await findHostProgram(name, directories)
  return found !== undefined && (found.major === undefined || others.includes(found.major))
}
