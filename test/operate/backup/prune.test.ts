/** Old backups go with the files that only they have, and nothing else does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newBackupName, type Place } from '../../../src/operate/backup/backup-place.ts'
import { encodeList, type ListedBlob } from '../../../src/operate/backup/blob-list.ts'
import { writeDescription } from '../../../src/operate/backup/description.ts'
import { openDirectoryPlace } from '../../../src/operate/backup/directory-place.ts'
import { writePacked } from '../../../src/operate/backup/packed.ts'
import { prune } from '../../../src/operate/backup/prune.ts'
import { chunks, identityOf } from '../../stores/blobs/conformance.ts'

let directory: string
let place: Place

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-prune-'))
  place = await openDirectoryPlace(directory)
})

afterEach(() => rm(directory, { recursive: true }))

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 5, 1)
const team = `team_${'0'.repeat(32)}`
const objects = new Map<string, string>()

/** The name of a stored file with this content. */
async function stored(content: string): Promise<string> {
  const object =
    objects.get(directory + content) ?? (await place.blobs.put(team, identityOf(content), chunks(content)))
  objects.set(directory + content, object)
  return object
}

/** A backup of so many hours ago with files of these letters. */
async function backup(hoursAgo: number, letters: string, { isWhole = true } = {}): Promise<string> {
  const name = newBackupName(nowMs - hoursAgo * hourMs)
  const names = await Promise.all(letters.split('').map(stored))
  const listed: ListedBlob[] = names.sort().map((object) => ({ object, size: 1 }))
  const list = await writePacked(
    place,
    name,
    'files.gz',
    encodeList(inOne(listed), () => {}),
  )
  const description = writeDescription({
    format: 1,
    svc: '0.1.0',
    migration: 'any',
    installation: 'any',
    engine: 'pglite',
    taken_at: new Date(nowMs).toISOString(),
    encryption_key: { check: '', included: false },
    files: { kept: 'copied', location: '', count: 1, bytes: 1, missing: [], missing_count: 0, list },
    tables: [],
    sequences: [],
  })
  if (isWhole) await place.write(name, 'backup.json', Readable.from([Buffer.from(description)]))
  return name
}

async function* inOne(listed: ListedBlob[]): AsyncGenerator<ListedBlob[]> {
  yield listed
}

const never = new AbortController().signal
const keep = (number: number, signal = never) => prune(place, { keep: number, nowMs, signal })

/** The letters of the files that are there. */
async function left(): Promise<string> {
  const letters: string[] = []
  for await (const batch of place.blobs.list())
    for (const object of batch) letters.push((await place.blobs.read(object)).toString())
  return letters.sort().join('')
}

it('keeps the newest, and the files that they share with older ones', async () => {
  await backup(50, 'abc')
  await backup(40, 'bcd')
  const newest = [await backup(30, 'cde'), await backup(20, 'ef')]
  expect(await keep(2)).toEqual({ backups: 2, files: 2 })
  expect(await place.list()).toEqual(newest)
  expect(await left()).toBe('cdef')
  expect(await keep(2)).toEqual({ backups: 0, files: 0 })
})

it('of those by schedule keeps the newest, and leaves all others alone', async () => {
  const byHand = await backup(60, 'ax')
  const old = await backup(50, 'ab')
  const broken = await backup(45, 'y', { isWhole: false })
  const made = [await backup(40, 'bc'), await backup(20, 'cd')]
  const pruned = await prune(place, { keep: 2, made: [old, ...made], nowMs, signal: never })
  expect(pruned).toEqual({ backups: 1, files: 0 })
  expect(await place.list()).toEqual([byHand, broken, ...made])
  expect(await left()).toBe('abcdxy')
})

it('removes what was broken off days ago, and keeps what may still be running', async () => {
  await backup(40, 'ab', { isWhole: false })
  const running = await backup(1, 'bc', { isWhole: false })
  const whole = await backup(2, 'd')
  expect(await keep(1)).toEqual({ backups: 1, files: 1 })
  expect(await place.list()).toEqual([whole, running])
  expect(await left()).toBe('bcd')
})

it('removes nothing where the list of a backup that is kept is damaged', async () => {
  await backup(50, 'ab')
  const newest = await backup(30, 'b')
  await place.write(newest, 'files.gz', chunks('damaged'))
  await expect(keep(1)).rejects.toThrow(`${newest}/files.gz is damaged`)
  expect((await place.list()).length).toBe(2)
  expect(await left()).toBe('ab')
})

it('of a backup whose list is damaged, leaves the files', async () => {
  const old = await backup(50, 'ab')
  await place.write(old, 'files.gz', chunks('damaged'))
  await backup(30, 'b')
  expect(await keep(1)).toEqual({ backups: 1, files: 0 })
  expect(await left()).toBe('ab')
})

it('stops when another backup begins, which may count on files that are there', async () => {
  await backup(50, 'ab')
  await backup(30, 'b')
  const list = place.list
  let looks = 0
  place = {
    ...place,
    async list() {
      looks += 1
      if (looks === 2) await place.write(newBackupName(nowMs), 'tables/a.gz', chunks('x'))
      return list()
    },
  }
  expect(await keep(1)).toEqual({ backups: 0, files: 0 })
  expect(await left()).toBe('ab')
})

it('goes on where it was broken off', async () => {
  await backup(50, 'ab')
  const newest = await backup(30, 'b')
  await expect(keep(1, AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
  // From then on the old one isn't taken for a whole one.
  expect(await place.has((await place.list())[0] ?? '', 'backup.json')).toBe(false)
  expect(await keep(1)).toEqual({ backups: 1, files: 1 })
  expect(await place.list()).toEqual([newest])
  expect(await left()).toBe('b')
})
