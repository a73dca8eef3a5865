/** The directory of one build: created empty, removed completely. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '../../lib/make-directory.ts'
import { killAbandoned } from './abandoned.ts'
import { removeLeftGroups } from './memory-group.ts'
import { removeTree } from './remove-tree.ts'
import type { Uids } from './uids.ts'

const run = promisify(execFile)

/**
 * `files` is the build's working directory. All of `directory` belongs to `owner`, the uid of the build, if
 * this process may chown; undefined if builds run as this process's own user.
 */
export type Workspace = {
  directory: string
  files: string
  home: string
  temporary: string
  owner: number | undefined
  giveOwnerBack(): void
}

/** Where the registry proxy of a build listens: outside of what it sees, and bound into its sandbox. */
export function proxySocket({ directory }: Workspace): string {
  return join(directory, 'registries')
}

/** An empty workspace below `root`; `uids` are those of a sandbox, undefined without one. */
export async function makeWorkspace(root: string, uids: Uids | undefined): Promise<Workspace> {
  const directory = join(root, randomBytes(8).toString('hex'))
  const owner = process.getuid?.() === 0 ? await uids?.take() : undefined
  const below = (name: string) => join(directory, name)
  const workspace = {
    directory,
    files: below('files'),
    home: below('home'),
    temporary: below('temporary'),
    owner,
    giveOwnerBack() {
      if (owner !== undefined) uids?.giveBack(owner)
    },
  }
  try {
    await makeDirectories(workspace)
    return workspace
  } catch (error) {
    await removeWorkspace(workspace)
    throw error
  }
}

async function makeDirectories(workspace: Workspace): Promise<void> {
  const { directory, files, home, temporary } = workspace
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const path of [files, home, temporary]) await mkdir(path, { mode: 0o700 })
  await giveToOwner(workspace)
}

/** Changes the owner of everything in the workspace, without following links. */
export async function giveToOwner({ owner, files, home, temporary }: Workspace): Promise<void> {
  if (owner === undefined) return
  await run('chown', ['-Rh', `${owner}:${owner}`, '--', files, home, temporary])
}

/** Removes a workspace whose processes have ended; its uid is left to another one. */
export async function removeWorkspace({ directory, giveOwnerBack }: Workspace): Promise<void> {
  await removeTree(directory)
  giveOwnerBack()
}

/**
 * Removes workspaces below `root`, sandboxes and control groups of a process that died. Nobody else may work
 * there.
 */
export async function clearWorkspaces(root: string): Promise<void> {
  await killAbandoned()
  await removeLeftGroups()
  await makeDirectory(root)
  for (const name of await readdir(root)) await removeTree(join(root, name))
}
