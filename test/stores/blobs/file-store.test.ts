import { execFile } from 'node:child_process'
import {
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { createDiskReserve, unreserved } from '../../../src/stores/data-dir/disk-reserve.ts'
import { chunks, describeBlobStore, identityOf } from './conformance.ts'

const run = promisify(execFile)

describeBlobStore('a store of files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-blobs-'))
  return {
    store: await createFileBlobStore(directory),
    unfinished: async () => (await readdir(join(directory, 'incoming'))).length,
    close: () => rm(directory, { recursive: true }),
  }
})

const teamId = newId('team', Date.now())
const content = 'hello'

describe('the files of a store', () => {
  let directory: string

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-blobs-'))
  })

  afterEach(() => rm(directory, { recursive: true, force: true }))

  const putHello = async (store: Awaited<ReturnType<typeof createFileBlobStore>>) =>
    store.put(teamId, identityOf(content), chunks(content))

  it('are still there when the store is opened again', async () => {
    const object = await putHello(await createFileBlobStore(directory))
    expect((await (await createFileBlobStore(directory)).read(object)).toString()).toBe(content)
  })

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a pipe', (path) => run('mkfifo', [path])],
    ['a link to a device', (path) => symlink('/dev/zero', path)],
    ['a directory', (path) => mkdir(path)],
  ])('are missing where there is %s', async (_, make) => {
    const store = await createFileBlobStore(directory)
    const object = await putHello(store)
    const path = join(directory, 'teams', object)
    await rm(path)
    await make(path)
    expect(await store.sizeOf(object)).toBe(undefined)
    const { size } = await stat(path)
    expect(await store.findMissing([{ object, size }])).toEqual([object])
  })

  it('are accessible to the service’s user only', async () => {
    const object = await putHello(await createFileBlobStore(directory))
    const modes = await Promise.all(
      ['incoming', 'teams', `teams/${teamId}`, `teams/${object}`].map(async (path) => {
        const { mode } = await stat(join(directory, path))
        return (mode & 0o777).toString(8)
      }),
    )
    expect(modes).toEqual(['700', '700', '700', '600'])
  })

  it('lose the remains of interrupted writes on a listing, once those are old', async () => {
    const store = await createFileBlobStore(directory)
    const [old, young] = [join(directory, 'incoming', 'old'), join(directory, 'incoming', 'young')]
    for (const path of [old, young]) await writeFile(path, 'half')
    await utimes(old, 1_000, 1_000)
    for await (const batch of store.listOlderThan(Date.now() - 60_000)) expect(batch).toEqual([])
    expect(await readdir(join(directory, 'incoming'))).toEqual(['young'])
  })

  it('are listed in batches', async () => {
    const store = await createFileBlobStore(directory)
    await mkdir(join(directory, 'teams', teamId))
    await Promise.all(
      Array.from({ length: 501 }, (_, i) => writeFile(join(directory, 'teams', teamId, `${i}`), '')),
    )
    const sizes: number[] = []
    for await (const batch of store.listOlderThan(Number.MAX_SAFE_INTEGER)) sizes.push(batch.length)
    expect(sizes).toEqual([500, 1])
  })

  describe.each([
    ['is a file now', async () => writeFile(join(directory, 'incoming'), '')],
    ['is gone', async () => {}],
  ])('whose directory for new ones %s', (_, replace) => {
    it('refuse writes with store_unavailable, stay readable, and accept writes later', async () => {
      const store = await createFileBlobStore(directory)
      const object = await putHello(store)
      await rename(join(directory, 'incoming'), join(directory, 'aside'))
      await replace()
      const refused = putHello(store)
      await expect(refused).rejects.toMatchObject({
        reason: 'store_unavailable',
        code: 'SERVICE_UNAVAILABLE',
      })
      await expect(refused).rejects.not.toThrow(directory)
      await expect(store.check()).rejects.toMatchObject({ reason: 'store_unavailable' })
      expect((await store.read(object)).toString()).toBe(content)

      await rm(join(directory, 'incoming'), { force: true })
      await rename(join(directory, 'aside'), join(directory, 'incoming'))
      await store.check()
      expect(await putHello(store)).not.toBe(object)
    })
  })

  it('that are missing differ from a directory that is missing', async () => {
    const store = await createFileBlobStore(directory)
    const object = await putHello(store)
    await rm(join(directory, 'teams', object))
    await expect(store.read(object)).rejects.toMatchObject({ name: 'ObjectMissing', object })
    await rename(join(directory, 'teams'), join(directory, 'aside'))
    await expect(store.read(object)).rejects.toMatchObject({ reason: 'store_unavailable' })
  })
})

describe('a file whose bytes are damaged', () => {
  let directory: string
  let store: BlobStore
  let object: string
  const content = Buffer.alloc(3 * 1024 * 1024, 'a')
  const size = content.length

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-blobs-'))
    store = await createFileBlobStore(directory)
    object = await store.put(teamId, identityOf(content), chunks(content))
  })

  afterEach(() => rm(directory, { recursive: true, force: true }))

  const readings: [string, () => Promise<Buffer>][] = [
    ['in memory', () => store.read(object)],
    ['as a stream', () => buffer(store.stream(object))],
    ['as a range over all of it', () => buffer(store.stream(object, { start: 0, end: size - 1, size }))],
  ]

  it.each(readings)('is never whole %s, before or after it was', async (_, read) => {
    const path = join(directory, 'teams', object)
    for (let times = 1; times <= 2; times += 1) {
      await writeFile(path, 'b', { flag: 'r+' })
      for (let again = 1; again <= 2; again += 1)
        await expect(read()).rejects.toMatchObject({ name: 'ObjectDamaged', reason: 'store_unavailable' })
      await writeFile(path, 'a', { flag: 'r+' })
      expect((await read()).equals(content)).toBe(true)
      // The file system's clock ticks every few milliseconds.
      await sleep(20)
    }
  })

  it.each([-1, 1])('has no part once its length is another by %i', async (more) => {
    await truncate(join(directory, 'teams', object), size + more)
    const reading = buffer(store.stream(object, { start: 0, end: 9, size }))
    await expect(reading).rejects.toMatchObject({ name: 'ObjectDamaged' })
  })
})

describe('a disk that is nearly full', () => {
  const full = createDiskReserve(tmpdir(), 1024 ** 5)

  it('is disk_full before anything is written, and also once it has become so', async () => {
    let looks = 0
    const fills = { ...unreserved, require: async () => (looks++ < 1 ? undefined : full.require()) }
    for (const disk of [full, fills]) {
      const directory = await mkdtemp(join(inject('directory'), 'blobs-'))
      const store = await createFileBlobStore(directory, disk)
      const large = Buffer.alloc(1024 * 1024, 1)
      await expect(store.put(teamId, identityOf(large), chunks(large))).rejects.toMatchObject({
        reason: 'disk_full',
      })
      expect(await readdir(join(directory, 'incoming'))).toEqual([])
    }
  })
})

describe('a full disk', () => {
  it('is disk_full, and leaves nothing of the write', async ({ skip }) => {
    const disk = await mountSmallDisk()
    if (!disk) return skip('this process may not mount a tmpfs')
    try {
      const store = await createFileBlobStore(disk.directory)
      const large = Buffer.alloc(1024 * 1024, 1)
      const refused = store.put(teamId, identityOf(large), chunks(large))
      await expect(refused).rejects.toMatchObject({ reason: 'disk_full' })
      expect(await readdir(join(disk.directory, 'incoming'))).toEqual([])
      const object = await store.put(teamId, identityOf(content), chunks(content))
      expect((await store.read(object)).toString()).toBe(content)
    } finally {
      await disk.unmount()
    }
  })
})

/** A disk of 256 kB, if this process may mount one. */
async function mountSmallDisk(): Promise<{ directory: string; unmount(): Promise<void> } | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-small-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', directory])
  } catch {
    await rm(directory, { recursive: true })
    return undefined
  }
  return {
    directory,
    async unmount() {
      await run('umount', [directory])
      await rm(directory, { recursive: true })
    },
  }
}
