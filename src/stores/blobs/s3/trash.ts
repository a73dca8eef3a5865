/** Unreferenced objects, kept below `trash/<day>/` until they expire. */
import { inParallel } from '../../../lib/async/in-parallel.ts'
import type { Trash } from '../trash.ts'
import type { S3Client } from './client.ts'
import { copyObject, deleteObject, type ListedObject, listNames, listObjects } from './objects.ts'

const deletesAtOnce = 16

/** The trash in the bucket, of the objects below `teams`. */
export function createS3Trash(client: S3Client, teams: string): Trash {
  const keyOf = (object: string, day: string) => `trash/${day}/${object}`

  async function move(from: string, to: string): Promise<boolean> {
    const isThere = await copyObject(client, from, to)
    if (isThere) await deleteObject(client, from)
    return isThere
  }

  async function removeAll(listed: ListedObject[]): Promise<number> {
    await inParallel(listed, deletesAtOnce, ({ key }) => deleteObject(client, key))
    return listed.length
  }

  /** The oldest of the day until at least `bytes` are freed. */
  async function removeSome(day: string, bytes: number): Promise<number> {
    let [left, removed] = [bytes, 0]
    for await (const listed of listObjects(client, keyOf('', day))) {
      for (const { key, size } of listed) {
        if (left <= 0) return removed
        await deleteObject(client, key)
        left -= size
        removed += 1
      }
    }
    return removed
  }

  return {
    async discard(object, day) {
      await move(teams + object, keyOf(object, day))
    },

    async *listDiscarded() {
      for await (const listed of listObjects(client, 'trash/')) {
        yield listed.map(({ key }) => key.split('/').slice(2).join('/'))
      }
    },

    async takeBack(object) {
      for (const day of (await listNames(client, 'trash/')).toSorted().reverse()) {
        if (await move(keyOf(object, day), teams + object)) return true
      }
      return false
    },

    async removeDiscarded({ beforeDay, maxBytes }) {
      let removed = 0
      const kept: { day: string; bytes: number }[] = []
      for (const day of (await listNames(client, 'trash/')).toSorted()) {
        let bytes = 0
        for await (const listed of listObjects(client, keyOf('', day))) {
          if (day < beforeDay) removed += await removeAll(listed)
          else bytes += listed.reduce((sum, { size }) => sum + size, 0)
        }
        if (day >= beforeDay) kept.push({ day, bytes })
      }
      let tooMany = kept.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes
      for (const { day, bytes } of kept) {
        if (tooMany <= 0) break
        removed += await removeSome(day, Math.min(tooMany, bytes))
        tooMany -= bytes
      }
      return removed
    },
  }
}
