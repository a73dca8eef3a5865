/** Finds the output files of a build, and nothing outside its workspace. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import { toPrintable } from '../../lib/names/printable.ts'
import type { FileCaps } from '../deployments/check-files.ts'

/** `source` is the path of its bytes on this host, without links. */
export type OutputFile = { path: string; source: string; sha256: string; size: number }

/** A problem with an output, as a sentence for the builder. */
export class OutputProblem extends Error {}

/**
 * The files below `directory`, a path without links; each is read once for its digest. All processes of the
 * build must have ended. Links to files below `workspace` are followed.
 * @throws OutputProblem that names the file.
 */
export async function* walkOutput(
  { directory, workspace }: { directory: string; workspace: string },
  caps: FileCaps,
): AsyncGenerator<OutputFile> {
  let files = 0
  let bytes = 0
  for await (const { path, source } of listFiles(directory, '', workspace)) {
    files++
    if (files > caps.maxFiles) throw new OutputProblem(`The output has more than ${caps.maxFiles} files.`)
    const file = { path, source, ...(await digest(path, source, caps.maxFileBytes)) }
    bytes += file.size
    if (bytes > caps.maxDeploymentBytes) {
      throw new OutputProblem(`The output has more than ${caps.maxDeploymentBytes} bytes.`)
    }
    yield file
  }
}

async function* listFiles(
  directory: string,
  prefix: string,
  workspace: string,
): AsyncGenerator<{ path: string; source: string }> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) =>
    refuse(prefix, error),
  )
  for (const entry of entries) {
    const path = prefix + entry.name
    const problem = pathProblem(path)
    if (problem) throw new OutputProblem(`The path ${show(path)} of the output ${problem}.`)
    const source = join(directory, entry.name)
    if (entry.isDirectory()) yield* listFiles(source, `${path}/`, workspace)
    else if (entry.isSymbolicLink()) yield { path, source: await follow(path, source, workspace) }
    else if (entry.isFile()) yield { path, source }
    else throw new OutputProblem(`${show(path)} in the output is not a file, but a device, pipe or socket.`)
  }
}

async function follow(path: string, link: string, workspace: string): Promise<string> {
  const target = await realpath(link).catch(() => undefined)
  // Builds must not learn whether something exists outside.
  if (target !== undefined && isBelow(target, workspace)) return target
  throw new OutputProblem(`${show(path)} in the output is a link that leads to no file of the build.`)
}

/** Whether a path is below a directory, both without links. */
export function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith('../')
}

async function digest(
  path: string,
  source: string,
  maxBytes: number,
): Promise<{ sha256: string; size: number }> {
  // Opening a pipe would block.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(source, flags).catch((error: unknown) => refuse(path, error))
  try {
    if (!(await file.stat()).isFile()) {
      throw new OutputProblem(`${show(path)} in the output links to something that is not a file.`)
    }
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      size += chunk.length
      if (size > maxBytes)
        throw new OutputProblem(`${show(path)} in the output has more than ${maxBytes} bytes.`)
      hash.update(chunk)
    }
    return { sha256: hash.digest('hex'), size }
  } finally {
    await file.close()
  }
}

/** Errors that a build can cause; a name that isn't UTF-8 is decoded to another, which doesn't exist. */
function refuse(path: string, error: unknown): never {
  if (hasCode(error, 'EACCES')) throw new OutputProblem(`${show(path)} in the output can't be read.`)
  if (hasCode(error, 'ENOENT'))
    throw new OutputProblem(`The name of ${show(path)} in the output is not UTF-8.`)
  if (hasCode(error, 'ENOTDIR')) throw new OutputProblem('The output directory is a file.')
  if (hasCode(error, 'ENXIO')) throw new OutputProblem(`${show(path)} in the output is not a file.`)
  throw error
}

const shownLength = 200

function show(path: string): string {
  return toPrintable(path).slice(0, shownLength).toWellFormed()
}
