/** Lays out the files of a server in a directory: for all to read, and with their links. */
import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inParallel } from '../../../lib/async/in-parallel.ts'

const run = promisify(execFile)

const parallelFiles = 16

/** Paths are relative to the directory; each link has its target. */
type Tree<File> = { files: readonly File[]; links: Record<string, string> }

/**
 * Lays out the files, each put by `place` at its path in `directory`, which must not exist. No link is there
 * before all files are.
 * @throws the signal's reason when it aborts; as `place` does.
 */
export async function layOut<File extends { path: string }>(
  { files, links }: Tree<File>,
  directory: string,
  place: (file: File, path: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(directory, { mode: 0o700 })
  const paths = [...files.map(({ path }) => path), ...Object.keys(links)]
  await inParallel(new Set(paths.map(dirname)), parallelFiles, (each) =>
    mkdir(join(directory, each), { recursive: true, mode: 0o700 }),
  )
  await inParallel(files, parallelFiles, (file) => {
    signal.throwIfAborted()
    return place(file, join(directory, file.path))
  })
  // At once, since a process may mask what it creates; who may execute is who may read.
  await run('chmod', ['-R', 'a+rX', '--', directory])
  await inParallel(Object.entries(links), parallelFiles, ([path, target]) => {
    signal.throwIfAborted()
    return symlink(target, join(directory, path))
  })
}

/** Makes the directories over which each start of a server has memory: nothing is kept of them. */
export async function makeCachePlaces(directory: string, caches: readonly string[] = []): Promise<void> {
  for (const path of caches) await mkdir(join(directory, path), { recursive: true })
}
