/** The directory in which one build works: made empty, removed whole. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeTree } from './remove-tree.ts'
import { removeLeftGroups } from './sandbox/memory-group.ts'

const run = promisify(execFile)

/**
 * `files` is what the build finds as its working directory. All of `directory` belongs to `owner`, the uid of the build,
 * where this process may give files away; undefined where builds run as this process's own user.
 */
export type Workspace = {
  directory: string
  files: string
  home: string
  temporary: string
  owner: number | undefined
}

/** From this range systemd takes users that exist only for as long as a service runs. */
const owners = { first: 61_184, count: 4_336 }
const taken = new Set<number>()

/** An empty workspace below `root`. In a sandbox each has another owner, as the number of processes counts by user. */
export async function makeWorkspace(root: string, { sandboxed }: { sandboxed: boolean }): Promise<Workspace> {
  const directory = join(root, randomBytes(8).toString('hex'))
  const owner = sandboxed && process.getuid?.() === 0 ? takeOwner() : undefined
  const below = (name: string) => join(directory, name)
  const workspace = {
    directory,
    files: below('files'),
    home: below('home'),
    temporary: below('temporary'),
    owner,
  }
  const { files, home, temporary } = workspace
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const path of [files, home, temporary]) await mkdir(path, { mode: 0o700 })
  await giveToOwner(workspace)
  return workspace
}

/** Gives everything in the workspace to its owner; links are given themselves, not what they lead to. */
export async function giveToOwner({ owner, files, home, temporary }: Workspace): Promise<void> {
  if (owner === undefined) return
  await run('chown', ['-Rh', `${owner}:${owner}`, '--', files, home, temporary])
}

/** Removes a workspace in which nothing runs any more. */
export async function removeWorkspace({ directory, owner }: Workspace): Promise<void> {
  await removeTree(directory)
  if (owner !== undefined) taken.delete(owner)
}

/** Removes what builds left below `root`, and in the kernel, when their process died. Nobody else may work there. */
export async function clearWorkspaces(root: string): Promise<void> {
  await removeLeftGroups()
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) await removeTree(join(root, name))
}

function takeOwner(): number {
  for (let tries = 0; tries < owners.count; tries++) {
    const owner = owners.first + Math.floor(Math.random() * owners.count)
    if (taken.has(owner)) continue
    taken.add(owner)
    return owner
  }
  throw new Error('There are as many workspaces as users for them.')
}
