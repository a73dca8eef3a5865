/** What every place of backups has to do. */
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBackupName, newBackupName, type Place } from '../../../src/operate/backup/backup-place.ts'
import { openBucketPlace } from '../../../src/operate/backup/bucket-place.ts'
import { descriptionFile } from '../../../src/operate/backup/description.ts'
import { openDirectoryPlace } from '../../../src/operate/backup/directory-place.ts'
import { beginTenure, type Tenure } from '../../../src/stores/data-dir/tenures.ts'
import { sha256 } from '../../platform/deployments/steps.ts'
import { chunks } from '../../stores/blobs/conformance.ts'
import { startS3 } from '../../support/s3/server.ts'

let directory: string
let place: Place
let close: () => Promise<void>

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-place-'))
})

afterEach(async () => {
  await close()
  await rm(directory, { recursive: true })
})

const first = newBackupName(Date.UTC(2026, 0, 31, 12))
const second = newBackupName(Date.UTC(2026, 1, 1))

type Opened = {
  place: Place
  /** The same place again, as another process opens it. */
  open(tenure: Tenure): Promise<Place>
  close: () => Promise<void>
}

const places: [string, (tenure?: Tenure) => Promise<Opened>][] = [
  [
    'a directory',
    async (tenure) => {
      const open = (of?: Tenure) => openDirectoryPlace(join(directory, 'backups'), undefined, of)
      const opened = await open(tenure)
      return { place: opened, open, close: opened.close }
    },
  ],
  [
    'a bucket',
    async (tenure) => {
      const server = await startS3()
      const open = (of?: Tenure) =>
        openBucketPlace({ ...server.address, prefix: 'deep/backups/' }, directory, { tenure: of })
      const opened = open(tenure)
      return {
        place: opened,
        open: async (of) => open(of),
        close: async () => {
          await opened.close()
          await server.close()
        },
      }
    },
  ],
]

describe.each(places)('%s', (_, open) => {
  beforeEach(async () => {
    ;({ place, close } = await open())
  })

  it('returns what was written, with its length and digest', async () => {
    expect(await place.write(first, 'tables/a.gz', chunks('hel', '', 'lo'))).toEqual({
      bytes: 5,
      sha256: sha256('hello'),
    })
    expect(await text(place.read(first, 'tables/a.gz'))).toBe('hello')
    expect(await place.has(first, 'tables/a.gz')).toBe(true)
    expect(await place.has(first, 'backup.json')).toBe(false)
  })

  it('replaces a file', async () => {
    await place.write(first, 'a', chunks('one'))
    await place.write(first, 'a', chunks('two'))
    expect(await text(place.read(first, 'a'))).toBe('two')
  })

  it('names the file that is missing', async () => {
    await expect(text(place.read(first, 'tables/a.gz'))).rejects.toThrow(
      `${first}/tables/a.gz is missing: this backup is incomplete.`,
    )
  })

  it('has nothing of a write that fails', async () => {
    // Also of one that fails before its file is open.
    for (const source of [...Array(100).fill([]), ['one']])
      await expect(place.write(first, 'a', chunks(...source, new Error('cut')))).rejects.toThrow('cut')
    expect(await place.has(first, 'a')).toBe(false)
    const left = (await readdir(directory, { recursive: true })).filter((name) => /[0-9a-f]{16}$/.test(name))
    expect(left).toEqual([])
  })

  it('lists backups by time, apart from the files of sites', async () => {
    await place.write(second, 'a', chunks('x'))
    await place.write(first, 'tables/b', chunks('x'))
    await place.blobs.setOwner('me')
    expect(await place.list()).toEqual([first, second])
  })

  it('removes a file, or all of a backup, also what isn’t there', async () => {
    for (const file of ['a', 'tables/b', 'tables/c']) await place.write(first, file, chunks('x'))
    await place.write(second, 'a', chunks('x'))
    await place.remove(first, 'a')
    await place.remove(first, 'a')
    expect(await place.has(first, 'a')).toBe(false)
    await place.removeAll(first)
    await place.removeAll(first)
    expect(await place.list()).toEqual([second])
  })
})

it('names of backups are in the order of time', () => {
  close = async () => {}
  expect([first, second].toSorted()).toEqual([first, second])
  expect(first).toBe('2026-01-31T12-00-00.000Z')
  expect([first, 'blobs', `${first}x`, '2026-01-31'].filter(isBackupName)).toEqual([first])
})

it('a directory whose disk is nearly full takes nothing, and keeps nothing of what was begun', async () => {
  const root = join(directory, 'full')
  const opened = await openDirectoryPlace(root, 1024 ** 5)
  close = opened.close
  await expect(opened.write(first, 'database', chunks('rows'))).rejects.toMatchObject({
    reason: 'disk_full',
  })
  const identity = { sha256: sha256('file'), size: 4 }
  await expect(opened.blobs.put('team_1', identity, chunks('file'))).rejects.toMatchObject({
    reason: 'disk_full',
  })
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  expect(files).toEqual([])
})

it('a bucket’s draft is refused on a disk that is nearly full, also once it has become so', async () => {
  const server = await startS3()
  const opened = openBucketPlace(server.address, directory, { reserveBytes: 1024 ** 5 })
  close = async () => {
    await opened.close()
    await server.close()
  }
  await expect(opened.write(first, 'database', chunks('rows'))).rejects.toMatchObject({
    reason: 'disk_full',
  })
  expect(await readdir(directory)).toEqual([])
  expect(server.requests.filter((request) => request.startsWith('PUT'))).toEqual([])
})

it('of a directory, a backup goes whose process died, and not one that is made or is whole', async () => {
  const root = join(directory, 'left')
  const opened = await openDirectoryPlace(root)
  close = opened.close
  const third = newBackupName(Date.UTC(2026, 2, 1))
  for (const backup of [first, second, third]) await opened.write(backup, 'database/rows', chunks('rows'))
  await opened.write(third, descriptionFile, chunks('{}'))
  expect(await readdir(join(root, third))).toEqual(['database', descriptionFile].sort())
  const [name = ''] = (await readdir(join(root, first))).filter((each) => each.startsWith('writer.'))
  const [, boot, namespace, pid, startTime, random] = name.split('.')
  const dead = ['writer', boot, namespace, pid, Number(startTime) - 1, random].join('.')
  await rename(join(root, first, name), join(root, first, dead))
  await opened.removeLeft()
  expect(await opened.list()).toEqual([second, third])
})

it.each(places)('in %s, a backup goes of an earlier tenure, and not of another node', async (_, open) => {
  const tenures = join(directory, 'tenures')
  const opened = await open(await beginTenure(tenures))
  close = opened.close
  const third = newBackupName(Date.UTC(2026, 2, 1))
  for (const backup of [first, third]) await opened.place.write(backup, 'rows', chunks('rows'))
  await opened.place.write(third, descriptionFile, chunks('{}'))
  const ofOther = await opened.open(await beginTenure(join(directory, 'other-tenures')))
  await ofOther.write(second, 'rows', chunks('rows'))
  const next = await opened.open(await beginTenure(tenures))
  await next.removeLeft()
  expect(await next.list()).toEqual([second, third])
  expect(await next.has(first, 'rows')).toBe(false)
  for (const each of [ofOther, next]) await each.close()
})
