/** Unpacks the archive of a site into a directory of its own, which is removed again. */
import { createWriteStream, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../lib/errors.ts'
import { hasCode } from '../../lib/has-code.ts'
import { failed, usageFailure } from '../command-failure.ts'
import type { Progress } from '../deploy/progress.ts'
import { type ArchivedFile, caps } from './archived-file.ts'
import { readTar } from './read-tar.ts'
import { withZip } from './with-zip.ts'

export type Unpacked = { root: string; remove(): void }

/**
 * Unpacks the zip or tar at `path`, which may be compressed with gzip.
 * @throws Failure (2) for what it can't hold: ways out, devices, duplicates, too much; the reason of
 * `signal`.
 */
export async function unpack(path: string, progress: Progress, signal: AbortSignal): Promise<Unpacked> {
  const root = await mkdtemp(join(tmpdir(), 'svc-site-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(root, { recursive: true, force: true })
  }
  // Ctrl-C ends the process without coming back here.
  process.on('exit', remove)
  try {
    progress.begin('Unpacking', 1, statSync(path).size)
    const write = (files: AsyncIterable<ArchivedFile>) => writeAll(root, files, signal)
    await (/\.zip$/i.test(path) ? withZip(path, write) : write(readTar(path, caps)))
    return { root, remove }
  } catch (error) {
    remove()
    signal.throwIfAborted()
    if (error instanceof AppError) throw usageFailure(`${path}: ${error.message}`)
    throw error
  } finally {
    progress.end()
  }
}

async function writeAll(
  root: string,
  files: AsyncIterable<ArchivedFile>,
  signal: AbortSignal,
): Promise<void> {
  const made = new Set([root])
  for await (const file of files) {
    const { path } = file
    const target = join(root, path)
    try {
      if (!made.has(dirname(target))) await mkdir(dirname(target), { recursive: true })
      made.add(dirname(target))
      if ('linkTo' in file) await symlink(relative(dirname(target), join(root, file.linkTo)), target)
      else
        await pipeline(Readable.from(file.content), createWriteStream(target, { flags: 'wx', mode: 0o600 }), {
          signal,
        })
    } catch (error) {
      if (!['EEXIST', 'ENOTDIR', 'EISDIR'].some((code) => hasCode(error, code))) throw error
      throw failed(`${path} can not be unpacked: another name in the archive is in its way.`, error)
    }
  }
}
