/**
 * Copies, moves and measures directories of builds, whose processes have ended. Programs of the system do it:
 * they descend by open directories, follow no links, and end when a signal aborts.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Size = { bytes: number; files: number }

/** Copies a directory to a path that is free, with links as links, modes and times, and no shared file. */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  await run('cp', ['-RPp', '--', from, to], { signal })
}

/** Moves a directory to a path that is free, also onto another file system. */
export async function moveTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  await run('mv', ['--', from, to], { signal })
}

/** Changes the owner of all that is in a directory, without following links. */
export async function giveTree(path: string, owner: number, signal: AbortSignal): Promise<void> {
  await run('chown', ['-Rh', `${owner}:${owner}`, '--', path], { signal })
}

/** The command that removes pipes, sockets and devices, which cp would copy and nobody needs again. */
const removeSpecial = 'find "$@" ! -type d ! -type f ! -type l -exec rm -f {} +'

/**
 * Removes special files from directories, given by their absolute paths; resolves to the space that the rest
 * takes, and how many files and directories there are.
 */
export async function measureTrees(paths: string[], signal: AbortSignal): Promise<Size> {
  const script = `${removeSpecial} && find "$@" | wc -l && du -sk "$@"`
  const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...paths], { signal })
  const [files = '', ...sizes] = stdout.trim().split('\n')
  const kibibytes = sizes.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
  return { files: Number.parseInt(files, 10), bytes: kibibytes * 1024 }
}
