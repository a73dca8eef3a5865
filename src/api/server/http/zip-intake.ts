/** Where bodies that are zips wait on disk until their request is answered. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileCaps } from '../../../platform/deployments/check-files.ts'
import { type BodyBudget, createBodyBudget, stepBytes } from './body-budget.ts'

export type ZipIntake = {
  /** The largest zip, in bytes. */
  maxBytes: number
  /** How many bytes of zips are on the disk. */
  onDisk: BodyBudget
  /** How many bytes are being inflated. */
  inflating: BodyBudget
  /**
   * A new, empty file, open for reading and writing, which is gone once it is closed or the process ends,
   * however it ends.
   */
  newFile(): Promise<FileHandle>
}

/** The entry of a file in a zip, besides its content. */
const bytesPerFile = 4 * 1024

/** For so many of the largest zips there is room; a team may have one. */
const largestAtATime = 4

/** Makes `directory` an empty one for zips: only a process that died can have left something. */
export async function emptyZips(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
}

type Options = {
  /** How long a zip waits for room. */
  waitMs: number
  /** The part of a node's room that this process has; there is always some for the largest zip. */
  share?: number
}

/** Uses `directory`, which exists. */
export function openZipIntake(directory: string, caps: FileCaps, { waitMs, share = 1 }: Options): ZipIntake {
  const maxBytes = caps.maxDeploymentBytes + caps.maxFiles * bytesPerFile
  const budget = (largest: number) => {
    // A body grows in steps, the last of which may be more than is needed.
    const maxBodyBytes = largest + stepBytes
    const totalBytes = Math.floor(largestAtATime * share) * maxBodyBytes
    return createBodyBudget({ totalBytes, maxBodyBytes, waitMs })
  }
  return {
    maxBytes,
    onDisk: budget(maxBytes),
    inflating: budget(caps.maxDeploymentBytes),
    async newFile() {
      const path = join(directory, randomBytes(16).toString('hex'))
      const file = await open(path, 'wx+', 0o600)
      try {
        // The open file stays; the system removes it even after a crash.
        await unlink(path)
        return file
      } catch (error) {
        await file.close()
        throw error
      }
    },
  }
}
