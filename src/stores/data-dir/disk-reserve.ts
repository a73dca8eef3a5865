/** Space on a disk that stays free, so that a database on it goes on when files have filled the rest. */
import { statfs } from 'node:fs/promises'
import { AppError } from '../../lib/errors.ts'
import type { Settings } from '../../lib/settings/variables.ts'

/** Looks at the disk once a second, at most. */
export type DiskReserve = {
  /** The bytes of the disk that are free besides the reserve; negative where less than that is free. */
  freeBytes(): Promise<number>
  /** Whether less than the reserve is free. */
  isFull(): Promise<boolean>
  /** Passes where `bytes` more leave the reserve free. @throws AppError `disk_full`. */
  require(bytes?: number): Promise<void>
}

/** The part of a disk that stays free: a share or bytes, whichever is less. */
const usual = { share: 0.05, bytes: 1024 ** 3 }

/** The share of a disk's files that stays unused; some disks count none. */
const spareFiles = 0.02

const maxAgeMs = 1_000

/** How often what is under way looks. */
const lookMs = 1_000

/** Nothing is kept free. */
export const unreserved: DiskReserve = {
  freeBytes: async () => Number.POSITIVE_INFINITY,
  isFull: async () => false,
  require: async () => {},
}

/**
 * The reserve on the disk of `directory`, of `bytes` or, if those are undefined, of 5 % or 1 GiB, whichever
 * is less; none for 0. `now` are milliseconds of a monotonic clock.
 */
export function createDiskReserve(
  directory: string,
  bytes: number | undefined,
  now = () => performance.now(),
): DiskReserve {
  if (bytes === 0) return unreserved
  let looked: { freeBytes: Promise<number>; atMs: number } | undefined

  function freeBytes(): Promise<number> {
    if (!looked || now() - looked.atMs >= maxAgeMs)
      looked = { freeBytes: lookAt(directory, bytes), atMs: now() }
    return looked.freeBytes
  }

  return {
    freeBytes,
    isFull: async () => (await freeBytes()) < 0,
    async require(more = 0) {
      if ((await freeBytes()) < more) throw diskFull()
    },
  }
}

/** The reserve on the disk of a node's data directory. */
export function diskReserveOf({
  SVC_DATA_DIR: directory,
  SVC_DISK_RESERVE: bytes,
}: Pick<Settings, 'SVC_DATA_DIR' | 'SVC_DISK_RESERVE'>): DiskReserve {
  return createDiskReserve(directory, bytes)
}

async function lookAt(directory: string, bytes: number | undefined): Promise<number> {
  // A disk that can't be looked at refuses by itself what it can't take.
  const disk = await statfs(directory).catch(() => undefined)
  if (!disk) return Number.POSITIVE_INFINITY
  if (disk.ffree < disk.files * spareFiles) return Number.NEGATIVE_INFINITY
  const reserve = bytes ?? Math.min(usual.bytes, disk.blocks * disk.bsize * usual.share)
  return disk.bavail * disk.bsize - reserve
}

/** The error for a disk that is nearly full, or full because of `cause`. */
export function diskFull(cause?: unknown): AppError {
  const message = 'The disk of the server is nearly full, so that nothing was stored.'
  return new AppError('disk_full', `${message} Try again later; its operator has to make room.`, { cause })
}

/**
 * Runs what writes to the disk, with a signal that aborts when `signal` does, or once the reserve is used.
 * @throws AppError `disk_full`; what `write` throws.
 */
export async function whileDiskHasSpace<T>(
  disk: DiskReserve,
  signal: AbortSignal,
  write: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await disk.require()
  const full = new AbortController()
  const timer = setInterval(() => {
    disk.require().catch((error: unknown) => full.abort(error))
  }, lookMs)
  try {
    return await write(AbortSignal.any([signal, full.signal]))
  } catch (error) {
    throw full.signal.aborted ? full.signal.reason : error
  } finally {
    clearInterval(timer)
  }
}

/** The chunks of a source, as long as the reserve stays free. @throws AppError `disk_full`. */
export async function* withinReserve<T>(disk: DiskReserve, source: AsyncIterable<T>): AsyncGenerator<T> {
  await disk.require()
  for await (const chunk of source) {
    await disk.require()
    yield chunk
  }
}
