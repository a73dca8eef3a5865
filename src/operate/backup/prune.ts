/** Removes the oldest backups of a place, with the files of sites that no other one refers to. */
import { createGunzip } from 'node:zlib'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { begunMs, type Place } from './backup-place.ts'
import { decodeList } from './blob-list.ts'
import { descriptionFile, listFile } from './description.ts'
import { listWhole, readDescription } from './find-backup.ts'
import { mergeSorted, withoutThose } from './merge-sorted.ts'
import { readPacked, through, verifyFile } from './packed.ts'

export type Pruned = { backups: number; files: number }

/** A younger backup that isn't whole may still be running. */
const brokenOffMs = 24 * 60 * 60 * 1_000

const removesAtOnce = 16

type Keeping = { keep: number; made?: readonly string[] | undefined; nowMs: number; signal: AbortSignal }

/**
 * Keeps the newest `keep` whole backups, and what was begun within a day and isn't whole. With `made`, only
 * backups of these names count, and only they are removed. When it is broken off, or another backup begins, a
 * later call goes on.
 * @throws BackupError when the list of files of a kept backup is damaged: then nothing is removed.
 */
export async function prune(place: Place, { keep, made, nowMs, signal }: Keeping): Promise<Pruned> {
  const names = await place.list()
  const whole = await listWhole(place)
  const counted = made ? whole.filter((name) => made.includes(name)) : whole
  const isKept = (name: string) => {
    if (made && !made.includes(name)) return true
    return counted.includes(name) ? counted.indexOf(name) < keep : begunMs(name) > nowMs - brokenOffMs
  }
  const removed = names.filter((name) => !isKept(name))
  if (removed.length === 0) return { backups: 0, files: 0 }
  const keptLists = await Promise.all(names.filter(isKept).map((name) => listOf(place, name, whole)))
  const removedLists = await Promise.all(
    removed.map((name) => listOf(place, name, whole).catch(() => undefined)),
  )
  // From now on they don't look whole.
  for (const name of removed) await place.remove(name, descriptionFile)
  const unneeded = withoutThose(
    mergeSorted(removedLists.flatMap((list) => list?.() ?? [])),
    mergeSorted(keptLists.map((list) => list())),
  )
  let files = 0
  for await (const objects of unneeded) {
    signal.throwIfAborted()
    // A new backup may count on these.
    if ((await place.list()).some((name) => !names.includes(name))) return { backups: 0, files }
    await inParallel(objects, removesAtOnce, (object) => place.blobs.remove(object))
    files += objects.length
  }
  for (const name of removed) await place.removeAll(name)
  return { backups: removed.length, files }
}

type List = () => AsyncGenerator<string>

/** The list of files of a backup: none if it was broken off before it had one. */
async function listOf(place: Place, backup: string, whole: string[]): Promise<List> {
  if (whole.includes(backup)) {
    const { list } = (await readDescription(place, backup)).files
    await verifyFile(place, backup, list)
    return () => objectsIn(readPacked(place, backup, list))
  }
  if (!(await place.has(backup, listFile))) return () => objectsIn(nothing())
  return () => objectsIn(through(place.read(backup, listFile), createGunzip()))
}

async function* objectsIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const batch of decodeList(bytes)) for (const { object } of batch) yield object
}

async function* nothing(): AsyncGenerator<Buffer> {}
