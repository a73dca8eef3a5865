/** The directory of one build: created empty, removed completely. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '../../lib/make-directory.ts'
import { removeTree } from './remove-tree.ts'
import { removeLeftGroups } from './sandbox/memory-group.ts'

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
}

/** Where the registry proxy of a build listens: outside of what it sees, and bound into its sandbox. */
export function proxySocket({ directory }: Workspace): string {
  return join(directory, 'registries')
}

/** The range of systemd's dynamic users. */
const owners = { first: 61_184, count: 4_336 }
const taken = new Set<number>()

/** An empty workspace below `root`. In a sandbox each has its own uid, since process limits are per user. */
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

/** Changes the owner of everything in the workspace, without following links. */
export async function giveToOwner({ owner, files, home, temporary }: Workspace): Promise<void> {
  if (owner === undefined) return
  await run('chown', ['-Rh', `${owner}:${owner}`, '--', files, home, temporary])
}

/** Removes a workspace whose processes have ended. */
export async function removeWorkspace({ directory, owner }: Workspace): Promise<void> {
  await removeTree(directory)
  if (owner !== undefined) taken.delete(owner)
}

/** Removes workspaces below `root` and control groups of a process that died. Nobody else may work there. */
export async function clearWorkspaces(root: string): Promise<void> {
  await removeLeftGroups()
  await makeDirectory(root)
  for (const name of await readdir(root)) await removeTree(join(root, name))
}

function takeOwner(): number {
  for (let tries = 0; tries < owners.count; tries++) {
    const owner = owners.first + Math.floor(Math.random() * owners.count)
    if (taken.has(owner)) continue
    taken.add(owner)
    return owner
  }
  throw new Error('No uid is left for another workspace.')
}
