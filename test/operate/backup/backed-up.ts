/**
 * An installation with a sample and a backup of it, and what tests of backups do with both: by `svc admin`,
 * while a node runs.
 */
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { newHome, type Svc } from '../../cli/svc.ts'
import type { TestNode } from '../../support/node.ts'
import { newSurroundings, type Surroundings, startOn } from './places.ts'
import { expectWhole, makeSample, type Sample } from './sample.ts'

type SvcResult = ReturnType<Svc>

export type BackedUp = {
  svc: Svc
  source: Surroundings
  node: TestNode
  sample: Sample
  /** With one backup of the sample, which contains the key. */
  place: string
  /** Makes a backup, and returns its report. */
  backUp(to: string, ...args: string[]): Promise<ReturnType<typeof JSON.parse>>
  restore(into: Surroundings, ...args: string[]): SvcResult
  /** Restores, starts a node, and compares everything. */
  expectRestored(into: Surroundings, ...args: string[]): Promise<TestNode>
  close(): Promise<void>
}

/** Starts the installation and makes the backup. */
export async function startBackedUp(): Promise<BackedUp> {
  const { svc } = await newHome()
  const source = await newSurroundings()
  const node = await startOn(source)
  const sample = await makeSample(node)
  const place = await newPlace()

  const backUp: BackedUp['backUp'] = async (to, ...args) => {
    const made = await svc(['admin', 'backup', to, '--json', ...args], { env: source.env })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(made.stdout)
  }
  const restore: BackedUp['restore'] = (into, ...args) =>
    svc(['admin', 'restore', ...args], { env: into.env })

  await backUp(place, '--with-key')
  return {
    svc,
    source,
    node,
    sample,
    place,
    backUp,
    restore,
    async expectRestored(into, ...args) {
      // The embedded database's key comes with the backup.
      if (into.env.DATABASE_URL) into.env.SVC_ENCRYPTION_KEY = await keyOf(source)
      const restored = await restore(into, ...args)
      expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored backup') })
      const other = await startOn(into)
      onTestFinished(other.stop)
      await expectWhole(other, sample)
      const check = await svc(['admin', 'check', '--deep'], { env: into.env })
      expect(check).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
      return other
    },
    async close() {
      await node.stop()
      await source.drop()
    },
  }
}

/** An empty directory for backups. */
export const newPlace = () => mkdtemp(join(inject('directory'), 'backups-'))

/** An installation to restore into, until the test ends. */
export async function target(options: Parameters<typeof newSurroundings>[0] = {}): Promise<Surroundings> {
  const made = await newSurroundings(options)
  onTestFinished(made.drop)
  return made
}

export const keyOf = async ({ env }: Surroundings) =>
  env.SVC_ENCRYPTION_KEY ?? (await readFile(join(env.SVC_DATA_DIR ?? '', 'encryption.key'), 'utf8')).trim()

/** Puts the key of an installation where another, on an embedded database, looks for it. */
export async function copyKey(from: Surroundings, { env }: Surroundings): Promise<void> {
  if (env.DATABASE_URL) return
  await mkdir(env.SVC_DATA_DIR ?? '', { recursive: true })
  await writeFile(join(env.SVC_DATA_DIR ?? '', 'encryption.key'), await keyOf(from))
}

/** The names of the backups in a place, the oldest first. */
export const backupsIn = async (place: string) =>
  (await readdir(place)).filter((each) => each.startsWith('2')).sort()

export const newestIn = async (place: string) => (await backupsIn(place)).at(-1) ?? ''

/** The files of sites in a place. */
export const blobFiles = async (place: string) =>
  (await readdir(join(place, 'blobs/teams'), { recursive: true, withFileTypes: true }))
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))

/** A copy of a place, to damage it. */
export async function copyOf(place: string): Promise<string> {
  const copy = await newPlace()
  for (const file of await readdir(place, { recursive: true, withFileTypes: true })) {
    const to = join(copy, join(file.parentPath, file.name).slice(place.length))
    if (file.isDirectory()) await mkdir(to, { recursive: true })
    else {
      await mkdir(join(to, '..'), { recursive: true })
      await copyFile(join(file.parentPath, file.name), to)
    }
  }
  return copy
}
