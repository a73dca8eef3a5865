/** The directory of one cache: numbered generations, of which the last is current, each never changed. */
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../../lib/has-code.ts'

/** `key` says what it can be used for; `bytes` is the space that it takes. */
const descriptionSchema = z.strictObject({ key: z.string(), bytes: z.int().nonnegative() })

/** The stored description of a generation. */
export type Description = z.infer<typeof descriptionSchema>

/** A whole generation and the time of its last use, in milliseconds. */
export type Generation = Description & { directory: string; usedMs: number }

const prefix = 'g-'

/** The name of a generation's files, beside its description. */
export const treeName = 'tree'

/** The directories of generations in a cache's directory, the last one first. */
export async function listGenerations(place: string): Promise<string[]> {
  const numbers = (await namesIn(place)).flatMap((name) => {
    const number = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(number) ? [number] : []
  })
  return numbers.sort((a, b) => b - a).map((number) => join(place, `${prefix}${number}`))
}

/** The generation in a directory; undefined unless it is whole. */
export async function readGeneration(directory: string): Promise<Generation | undefined> {
  try {
    const text = await readFile(join(directory, 'manifest.json'), 'utf8')
    const { mtimeMs } = await stat(directory)
    const hasTree = (await stat(join(directory, treeName))).isDirectory()
    if (!hasTree) return undefined
    return { ...descriptionSchema.parse(JSON.parse(text)), directory, usedMs: mtimeMs }
  } catch {
    return undefined
  }
}

/** Notes when a generation was used. */
export async function noteUse(directory: string, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  await utimes(directory, now, now)
}

/** Makes a directory with a tree the last generation of a cache, at once. */
export async function addGeneration(
  place: string,
  made: string,
  description: Description,
  nowMs: number,
): Promise<void> {
  await writeFile(join(made, 'manifest.json'), JSON.stringify(description), { mode: 0o600 })
  await noteUse(made, nowMs)
  await mkdir(place, { recursive: true, mode: 0o700 })
  const [last] = await listGenerations(place)
  const number = last === undefined ? 1 : Number(last.slice(join(place, prefix).length)) + 1
  await rename(made, join(place, `${prefix}${number}`))
}

/** Resolves to the names in a directory; to none where there is no directory. */
export async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  })
}
