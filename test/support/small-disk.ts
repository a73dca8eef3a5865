/** Disks of a few megabytes in memory, which tests can fill. Only root may mount them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { hasCode } from '../../src/lib/has-code.ts'

const run = promisify(execFile)

/**
 * Mounts one in a new directory until the test ends; undefined if this process may not. `size` is as `mount`
 * takes it.
 */
export async function mountSmallDisk(size: string): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-small-'))
  const isMounted = await mount(['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs'], directory)
  if (!isMounted) await rm(directory, { recursive: true })
  return isMounted ? directory : undefined
}

/** Makes a directory one that can't be renamed, until the test ends; false if this process may not. */
export function pinDirectory(directory: string): Promise<boolean> {
  return mount(['--bind', directory], directory)
}

async function mount(args: string[], directory: string): Promise<boolean> {
  const isMounted = await run('mount', [...args, directory]).then(
    () => true,
    () => false,
  )
  if (isMounted) onTestFinished(() => run('umount', ['--lazy', directory]).then(() => {}))
  return isMounted
}

/** Writes to a file of the disk until so many kibibytes are left; the result frees them again. */
export async function fillDisk(directory: string, left = 0): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true })
  const path = join(directory, 'filler')
  const file = await open(path, 'w')
  try {
    for (const bytes of [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)]) await writeUntilFull(file, bytes)
  } finally {
    await file.truncate(Math.max(0, (await file.stat()).size - left * 1024))
    await file.close()
  }
  return () => rm(path)
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.appendFile(bytes)
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error
  }
}
