/**
 * Copies the files of an embedded database while its node runs: it waits only while those are copied that
 * have changed.
 */
import { type BigIntStats, constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { DiskReserve } from './disk-reserve.ts'

const atATime = 8

/**
 * A file that was written to so shortly before it was copied may have been written to again at the same time
 * stamp.
 */
const uncertainMs = 2_000n

type Seen = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'> & { isCertain: boolean }

/**
 * Copies `from` to `to`, which is removed first. `pause` has to run its argument while no file of `from`
 * changes: the copy is as they are then, which is what a crash at that moment would leave.
 * @throws AppError `disk_full` where less than the reserve of `disk` is free; the copy is not whole then.
 */
export async function copyDatabase(
  from: string,
  to: string,
  pause: (work: () => Promise<void>) => Promise<void>,
  disk: Pick<DiskReserve, 'require'>,
): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true, mode: 0o700 })
  const seen = new Map<string, Seen>()
  await copyChanged({ from, to, disk }, seen)
  await pause(async () => {
    const gone = new Set(seen.keys())
    for (const file of await copyChanged({ from, to, disk }, seen)) gone.delete(file)
    for (const file of gone) await rm(join(to, file), { force: true })
  })
}

type Places = { from: string; to: string; disk: Pick<DiskReserve, 'require'> }

/** Copies the files that are not as they were seen. Returns all that are there. */
async function copyChanged({ from, to, disk }: Places, seen: Map<string, Seen>): Promise<string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const pathOf = ({ parentPath, name }: { parentPath: string; name: string }) =>
    join(parentPath, name).slice(from.length + 1)
  for (const entry of entries)
    if (entry.isDirectory()) await mkdir(join(to, pathOf(entry)), { recursive: true, mode: 0o700 })
  const files = entries.filter((entry) => entry.isFile()).map(pathOf)
  await inParallel(files, atATime, async (file) => {
    const found = await look(join(from, file))
    const before = seen.get(file)
    if (found === undefined || (before !== undefined && isSame(found, before))) return
    await disk.require()
    seen.set(file, found)
    await copyIfThere(join(from, file), join(to, file))
  })
  return files
}

function isSame(found: Seen, before: Seen): boolean {
  return (
    before.isCertain &&
    found.size === before.size &&
    found.mtimeNs === before.mtimeNs &&
    found.ino === before.ino
  )
}

async function look(path: string): Promise<Seen | undefined> {
  const nowMs = BigInt(Date.now())
  const found = await lstat(path, { bigint: true }).catch(() => undefined)
  if (found === undefined) return undefined
  const { size, mtimeNs, mtimeMs, ino } = found
  return { size, mtimeNs, ino, isCertain: mtimeMs < nowMs - uncertainMs }
}

/** Files come and go while they are listed. */
async function copyIfThere(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(async (error: unknown) => {
    if ((await lstat(from).catch(() => undefined)) !== undefined) throw error
  })
}
