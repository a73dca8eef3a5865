/** Unreferenced files, kept in `trash/<day>/` until they expire. */
import type { Dirent, Stats } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import type { BlobStore } from './blob-store.ts'

export type Trash = Pick<BlobStore, 'discard' | 'listDiscarded' | 'takeBack' | 'removeDiscarded'>

const dayPattern = /^\d{4}-\d\d-\d\d$/

const listBatch = 500

/** The trash in `directory`, created on demand, of the files below `teams` on the same file system. */
export function createTrash(directory: string, teams: string): Trash {
  /** The oldest first. */
  async function days(): Promise<string[]> {
    const names = (await entriesOf(directory)).map(({ name }) => name)
    return names.filter((name) => dayPattern.test(name)).sort()
  }

  /** Paths in the trash, one directory of a team at a time. */
  async function* filesOf(day: string): AsyncGenerator<{ team: string; names: string[] }> {
    for (const { name: team } of await entriesOf(join(directory, day))) {
      const names = (await entriesOf(join(directory, day, team))).map(({ name }) => name)
      for (let at = 0; at < names.length; at += listBatch)
        yield { team, names: names.slice(at, at + listBatch) }
    }
  }

  async function measure(day: string): Promise<{ bytes: number; objects: number }> {
    let [bytes, objects] = [0, 0]
    for await (const { team, names } of filesOf(day)) {
      const found = await Promise.all(names.map((name) => sizeOf(join(directory, day, team, name))))
      bytes += found.reduce((sum, size) => sum + size, 0)
      objects += names.length
    }
    return { bytes, objects }
  }

  /** Deletes files of the day until at least `bytes` are freed. */
  async function removeSome(day: string, bytes: number): Promise<number> {
    let [left, removed] = [bytes, 0]
    for await (const { team, names } of filesOf(day)) {
      for (const name of names) {
        if (left <= 0) return removed
        const path = join(directory, day, team, name)
        left -= await sizeOf(path)
        await rm(path, { force: true })
        removed += 1
      }
    }
    return removed
  }

  return {
    async discard(object, day) {
      const path = join(directory, day, object)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await renameIfThere(join(teams, object), path)
    },

    async *listDiscarded() {
      for (const day of await days()) {
        for await (const { team, names } of filesOf(day)) yield names.map((name) => `${team}/${name}`)
      }
    },

    async takeBack(object) {
      const path = join(teams, object)
      for (const day of (await days()).reverse()) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        if (await renameIfThere(join(directory, day, object), path)) return true
      }
      return false
    },

    async removeDiscarded({ beforeDay, maxBytes }) {
      const kept: { day: string; bytes: number; objects: number }[] = []
      let removed = 0
      for (const day of await days()) {
        const measured = await measure(day)
        if (day >= beforeDay) {
          kept.push({ day, ...measured })
          continue
        }
        await rm(join(directory, day), { recursive: true, force: true })
        removed += measured.objects
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

async function entriesOf(directory: string): Promise<Dirent[]> {
  return readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  })
}

async function sizeOf(path: string): Promise<number> {
  const found: Stats | undefined = await stat(path).catch(() => undefined)
  return found?.size ?? 0
}

/** Whether there was such a file. */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
