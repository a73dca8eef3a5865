/** A small disk of a node's own, which can be filled. */
import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type SmallDisk = {
  /** The node whose data directory it is. */
  node: string
  /** Writes until there is no space left. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<unknown>
}

const run = promisify(execFile)
const size = '24m'
const chunk = Buffer.alloc(64 * 1024)

/** Mounts one. It goes away with the mount namespace of the harness, too. */
export async function mountSmall(node: string, directory: string): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'svc-fleet', directory])
  const filler = join(directory, 'filler')
  return {
    node,
    async fill() {
      const file = await open(filler, 'w')
      try {
        for (;;) await file.write(chunk)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    unmount: () => run('umount', [directory]),
  }
}
