/** Stores what a build left for its server as the team's blobs. */
import { realpath } from 'node:fs/promises'
import { join, posix, relative } from 'node:path'
import { inParallel } from '../../../lib/async/in-parallel.ts'
import { spelledOut } from '../../../lib/names/spelled-out.ts'
import type { FileCaps } from '../../deployments/check-files.ts'
import { digestLeft, isBelow, LeftProblem } from '../../sandbox/left-files.ts'
import { inside } from '../../sandbox/start-script.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import type { CheckedFile } from '../../sites/file-list.ts'
import { type StoreDeps, storeFiles } from '../../sites/store-files.ts'
import { type KeptRoot, requireSame, walkKept, where } from './walk-kept.ts'

type Deps = StoreDeps & { caps: FileCaps }

/**
 * `directory` is the root of the server's files, relative to the workspace's; of it are kept the files and
 * directories `only`, or all.
 */
export type ToKeep = {
  teamId: string
  workspace: Workspace
  directory: string
  only?: string[] | undefined
}

/** The files of a server: `bytes` together, links with their targets, and the paths that may be executed. */
export type Kept = {
  files: CheckedFile[]
  bytes: number
  links: Record<string, string>
  executables: string[]
}

/** How many files are read at once. */
const parallelReads = 8

/**
 * Once it resolves, the team has the blobs of all files for an hour at least. Only after all processes of the
 * build have ended. A problem is a sentence for the builder.
 * @throws AppError `store_unavailable`, `storage_quota`; the signal's reason when it aborts.
 */
export async function collectKept(
  deps: Deps,
  { teamId, workspace, directory, only }: ToKeep,
  signal: AbortSignal,
): Promise<Kept | { problem: string }> {
  try {
    const root = await findRoot(workspace, directory)
    const { links, files: listed } = await walkKept({ ...root, only }, deps.caps.maxFiles, signal)
    const files = await digestAll(listed, deps.caps, signal)
    if (files.length === 0) throw new LeftProblem(`The build left nothing for ${where}.`)
    await storeFiles(deps, teamId, files, signal)
    return {
      files: files.map(({ path, sha256, size }, index) => ({ index, path, sha256, size, bytes: undefined })),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
      links,
      executables: files.filter(({ isExecutable }) => isExecutable).map(({ path }) => path),
    }
  } catch (error) {
    if (error instanceof LeftProblem) return { problem: error.message }
    throw error
  }
}

async function findRoot(workspace: Workspace, directory: string): Promise<KeptRoot> {
  const files = await realpath(workspace.files)
  const found = await realpath(join(files, directory)).catch(() => undefined)
  if (found === undefined || !isBelow(found, files))
    throw new LeftProblem(`The build created no directory ${spelledOut(directory)} for its server.`)
  // Without a sandbox, it knew its files by their path on this host.
  const seenAs = [inside.files, files, workspace.files].map((each) =>
    posix.join(each, relative(files, found)),
  )
  return { directory: found, seenAs }
}

function digestAll(
  files: { path: string; source: string }[],
  { maxFileBytes, maxDeploymentBytes }: FileCaps,
  signal: AbortSignal,
) {
  let bytes = 0
  return inParallel(files, parallelReads, async ({ path, source }) => {
    signal.throwIfAborted()
    await requireSame(path, source)
    const found = await digestLeft({ path, source, where }, maxFileBytes, signal)
    bytes += found.size
    if (bytes > maxDeploymentBytes)
      throw new LeftProblem(`There are more than ${maxDeploymentBytes} bytes in ${where}.`)
    return { path, source, ...found }
  })
}
