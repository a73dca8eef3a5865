/** Stores a build's output directory as the team's blobs. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { type FirstPages, findFirstPages, madeSince } from '../../lib/frameworks/first-pages.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import { isBelow, LeftProblem } from '../sandbox/left-files.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { type FileList, fileListOf } from '../sites/file-list.ts'
import { type StoreDeps, storeFiles } from '../sites/store-files.ts'
import { type OutputFile, walkOutput } from './walk-output.ts'

export type OutputDeps = StoreDeps & { caps: FileCaps }

/**
 * `rootDirectory` is relative to the workspace's files, `outputDirectory` to that. `before` are the first
 * pages in the root directory before the build.
 */
export type Output = {
  teamId: string
  workspace: Workspace
  rootDirectory: string
  outputDirectory: string
  before: FirstPages
}

/** The files of a deployment, or the problem with them, as a sentence for the builder. */
export type Collected = FileList | { problem: string }

/**
 * Once it resolves, the team has the blobs of all files for an hour at least. Only after all processes of the
 * build have ended.
 * @throws AppError `store_unavailable`, `storage_quota`; the signal's reason when it aborts.
 */
export async function collectOutput(
  deps: OutputDeps,
  output: Output,
  signal: AbortSignal,
): Promise<Collected> {
  try {
    const files = await listOutput(deps.caps, output, signal)
    await storeFiles(deps, output.teamId, files, signal)
    return fileListOf(
      files.map(({ path, sha256, size }, index) => ({ index, path, sha256, size, bytes: undefined })),
    )
  } catch (error) {
    if (error instanceof LeftProblem) return { problem: error.message }
    throw error
  }
}

async function listOutput(caps: FileCaps, output: Output, signal: AbortSignal): Promise<OutputFile[]> {
  const { outputDirectory } = output
  const workspace = await realpath(output.workspace.files)
  const directory = await realpath(join(workspace, output.rootDirectory, outputDirectory)).catch(
    () => undefined,
  )
  const files: OutputFile[] = []
  if (directory !== undefined && isBelow(directory, workspace)) {
    for await (const file of walkOutput({ directory, workspace }, caps)) {
      signal.throwIfAborted()
      files.push(file)
    }
  }
  if (files.length > 0) return files
  const what = directory === undefined ? 'created no directory' : 'left no files in the directory'
  throw new LeftProblem(
    `The build ${what} ${spelledOut(outputDirectory)}: ` +
      `set output_directory to ${await findSite(join(workspace, output.rootDirectory), output.before)}.`,
  )
}

/** Where the build made a site instead, for a sentence. */
async function findSite(root: string, before: FirstPages): Promise<string> {
  const [directory, ...others] = madeSince(before, await findFirstPages(root))
  if (directory === undefined) return 'the directory of its files'
  const more = others.slice(0, maxNamed).map((each) => ` or ${spelledOut(each)}`)
  return `${spelledOut(directory)}${more.join('')}, where it made a page`
}

/** As many other directories are named. */
const maxNamed = 2
