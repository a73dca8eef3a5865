/** Provides builds with the package manager of their project. */
import { access, chmod, mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Isolation } from '../../sandbox/launch.ts'
import type { BuildNetwork } from '../../sandbox/registries/network.ts'
import { quote } from '../../sandbox/shell-quote.ts'
import { ownPrograms } from '../../sandbox/start-script.ts'
import { systemPath } from '../../sandbox/toolchain.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { fetchScript } from './fetch-script.ts'
import { type WantedManager, wantedManager } from './wanted-manager.ts'

/** The names under which the programs of each are run. */
const programs = { pnpm: ['pnpm', 'pnpx'], yarn: ['yarn', 'yarnpkg'], bun: ['bun', 'bunx'] } as const

/** The network and the isolation of a build. */
type Around = { network: BuildNetwork; isolation: Isolation }

/**
 * Puts programs first on the build's `PATH` that fetch the package manager of the package in `folder`, in
 * the version that its manifest names, when they are first run. Where it names none, the one of this host is
 * used, and only where there is none the version is that of the lock file. Without a network nothing can be
 * fetched.
 */
export async function provideManager(
  workspace: Workspace,
  folder: string,
  { network, isolation }: Around,
): Promise<void> {
  if (network === 'none') return
  const wanted = await wantedManager(workspace.files, folder)
  if (!wanted || (!wanted.isNamed && (await isOnHost(wanted.name, isolation)))) return
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

/** Whether the host has the program itself: corepack's is a way to fetch it, which may not work here. */
async function isOnHost(name: string, isolation: Isolation): Promise<boolean> {
  const own = isolation === 'none' ? [dirname(process.execPath)] : []
  for (const directory of [...own, ...systemPath.split(':')]) {
    const path = join(directory, name)
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return !(await realpath(path)).includes('/corepack/')
  }
  return false
}
