/** Finds the output files of a build, and nothing outside its workspace. */
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import { digestLeft, isBelow, LeftProblem, refuseLeft, shownPath } from '../sandbox/left-files.ts'

/** `source` is the path of its bytes on this host, without links. */
export type OutputFile = { path: string; source: string; sha256: string; size: number }

const where = 'the output'

/**
 * The files below `directory`, a path without links; each is read once for its digest. All processes of the
 * build must have ended. Links to files below `workspace` are followed.
 * @throws LeftProblem that names the file.
 */
export async function* walkOutput(
  { directory, workspace }: { directory: string; workspace: string },
  caps: FileCaps,
): AsyncGenerator<OutputFile> {
  let files = 0
  let bytes = 0
  for await (const { path, source } of listFiles(directory, '', workspace)) {
    files++
    if (files > caps.maxFiles) throw new LeftProblem(`The output has more than ${caps.maxFiles} files.`)
    const { sha256, size } = await digestLeft({ path, source, where }, caps.maxFileBytes)
    bytes += size
    if (bytes > caps.maxDeploymentBytes) {
      throw new LeftProblem(`The output has more than ${caps.maxDeploymentBytes} bytes.`)
    }
    yield { path, source, sha256, size }
  }
}

async function* listFiles(
  directory: string,
  prefix: string,
  workspace: string,
): AsyncGenerator<{ path: string; source: string }> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOTDIR')) throw new LeftProblem('The output directory is a file.')
    return refuseLeft({ path: prefix, where }, error)
  })
  for (const entry of entries) {
    const path = prefix + entry.name
    const problem = pathProblem(path)
    if (problem) throw new LeftProblem(`The path ${shownPath(path)} of the output ${problem}.`)
    const source = join(directory, entry.name)
    if (entry.isDirectory()) yield* listFiles(source, `${path}/`, workspace)
    else if (entry.isSymbolicLink()) yield { path, source: await follow(path, source, workspace) }
    else if (entry.isFile()) yield { path, source }
    else
      throw new LeftProblem(`${shownPath(path)} in the output is not a file, but a device, pipe or socket.`)
  }
}

async function follow(path: string, link: string, workspace: string): Promise<string> {
  const target = await realpath(link).catch(() => undefined)
  // Builds must not learn whether something exists outside.
  if (target !== undefined && isBelow(target, workspace)) return target
  throw new LeftProblem(`${shownPath(path)} in the output is a link that leads to no file of the build.`)
}
