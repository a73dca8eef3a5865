/** The files of servers on the disk of a node. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { removeWorkspace } from '../../../../src/platform/sandbox/workspace.ts'
import { type KeptFiles, openKeptFiles } from '../../../../src/platform/servers/kept-files/kept-files.ts'
import { releaseManifests } from '../../../../src/platform/sites/manifest.ts'
import type { BlobStore } from '../../../../src/stores/blobs/blob-store.ts'
import { createS3Client } from '../../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../../src/stores/blobs/s3/s3-store.ts'
import { createDiskReserve, unreserved } from '../../../../src/stores/data-dir/disk-reserve.ts'
import { manifestEntries, manifests } from '../../../../src/stores/db/schema/manifests.ts'
import { createCleanUps } from '../../../support/clean-ups.ts'
import { eventually } from '../../../support/eventually.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { startS3 } from '../../../support/s3/server.ts'
import { fillDisk, mountSmallDisk } from '../../../support/small-disk.ts'
import { newTeam } from '../../../support/team.ts'
import { newWorkspace } from '../../builds/build.ts'
import { collect, insertKept } from './keep.ts'

const cleanUps = createCleanUps()
const never = new AbortController().signal

/** What a small file takes on the disk. */
const block = 4_096

let node: TestNode
let root: string
let clockMs = 1_000_000_000

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  root = join(await cleanUps.newDirectory(), 'files')
})

const db = () => node.installation.store.db

async function open(more: Partial<Parameters<typeof openKeptFiles>[0]> = {}): Promise<KeptFiles> {
  const files = await openKeptFiles({
    ...{ db: db(), blobs: node.installation.origin, root, maxBytes: 100_000_000, disk: unreserved },
    nowMs: () => clockMs,
    ...more,
  })
  onTestFinished(() => files.close())
  return files
}

/** A kept manifest of these files. */
async function newManifest(
  files: Record<string, string> = { 'server.js': unique('content') },
  blobs?: BlobStore,
): Promise<number> {
  const { id: teamId } = await newTeam(node)
  const workspace = await newWorkspace()
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(workspace.files, path)), { recursive: true })
      await writeFile(join(workspace.files, path), content)
    }
    return await insertKept(node, teamId, await collect(node, teamId, workspace, blobs && { blobs }))
  } finally {
    await removeWorkspace(workspace)
  }
}

/** The store, which counts what is read, and reads nothing before `release` is called. */
function held() {
  const blobs = node.installation.origin
  let reads = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const read = async (object: string) => {
    reads += 1
    await released
    return blobs.read(object)
  }
  return { blobs: { ...blobs, read }, reads: () => reads, release: () => release() }
}

/** Whose files are there: the number of the manifest that each directory is of. */
const names = async () => (await readdir(root)).map((name) => name.replace(/-[0-9a-f]{64}$/, '')).toSorted()

describe('files', () => {
  it('are fetched once, however many want them, and stay', async () => {
    const { blobs, reads, release } = held()
    const files = await open({ blobs })
    const id = await newManifest({ a: 'a', 'b/c': 'c' })
    const takers = [files.take(id, never), files.take(id, never), files.take(id, never)]
    release()
    const taken = await Promise.all(takers)
    const [directory = '', ...others] = new Set(taken.map((each) => each.directory))
    expect(others).toEqual([])
    expect(await readFile(join(directory, 'b/c'), 'utf8')).toBe('c')
    for (const { giveBack } of taken) giveBack()
    await files.take(id, never)
    expect(reads()).toBe(2)
    expect(await names()).toEqual([`${id}`])
  })

  it('come from a bucket, large ones and many', async () => {
    const server = await startS3()
    const client = createS3Client(server.address)
    onTestFinished(async () => {
      await client.close()
      await server.close()
    })
    const blobs = createS3BlobStore(client)
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i % 7}/${i}`, `${i}`]))
    const large = 'x'.repeat(3_000_000)
    const id = await newManifest({ ...many, large }, blobs)
    const { directory } = await (await open({ blobs })).take(id, never)
    for (const [path, content] of Object.entries({ ...many, large }))
      expect(await readFile(join(directory, path), 'utf8')).toBe(content)
  })

  it('are there after a restart, without what a process that died has left', async () => {
    const id = await newManifest()
    const before = await open()
    const { directory } = await before.take(id, never)
    await before.close()
    await mkdir(join(root, 'part-0123456789abcdef/deep'), { recursive: true })
    await mkdir(join(root, `999999999999-${'0'.repeat(64)}`))
    await writeFile(join(root, 'stray'), '')
    const { blobs, reads } = held()
    const after = await open({ blobs })
    expect(await names()).toEqual([`${id}`])
    expect((await after.take(id, never)).directory).toBe(directory)
    expect(reads()).toBe(0)
  })

  it('of another manifest that had the number before a restore are not taken for them', async () => {
    const id = await newManifest({ a: 'a', b: 'b' })
    const before = await open()
    const { directory } = await before.take(id, never)
    await before.close()
    const other = await newManifest({ a: 'other' })
    const entries = manifestEntries.manifestId
    const [entry] = await db().select().from(manifestEntries).where(eq(entries, other))
    const change = { blobId: entry?.blobId ?? 0 }
    await db()
      .update(manifestEntries)
      .set(change)
      .where(and(eq(entries, id), eq(manifestEntries.path, 'a')))
    const after = await open()
    expect(await names()).toEqual([])
    const taken = await after.take(id, never)
    expect(taken.directory).not.toBe(directory)
    expect(await readFile(join(taken.directory, 'a'), 'utf8')).toBe('other')
  })

  it.each([
    ['links', { links: { link: 'a' } }],
    ['executables', { executables: ['a'] }],
  ])('with other %s are other files', async (_, change) => {
    const id = await newManifest({ a: 'a' })
    const before = await open()
    await before.take(id, never)
    await before.close()
    await db().update(manifests).set(change).where(eq(manifests.id, id))
    await open()
    expect(await names()).toEqual([])
  })

  it('can be read by all where the process masks what it creates', async () => {
    const files = await open()
    const id = await newManifest({ 'a/b': 'b' })
    const before = process.umask(0o077)
    const { directory } = await files.take(id, never).finally(() => process.umask(before))
    const modeOf = async (path: string) => (await stat(join(directory, path))).mode & 0o777
    expect([await modeOf('.'), await modeOf('a'), await modeOf('a/b')]).toEqual([0o755, 0o755, 0o444])
  })

  it('of a deleted deployment are refused', async () => {
    const id = await newManifest()
    await releaseManifests(db(), [id], 1)
    await expect((await open()).take(id, never)).rejects.toMatchObject({ reason: 'deployment_not_found' })
    expect(await names()).toEqual([])
  })
})

describe('who waits for files', () => {
  it('may leave, and others get them', async () => {
    const { blobs, release } = held()
    const files = await open({ blobs })
    const id = await newManifest()
    const leaving = new AbortController()
    const left = files.take(id, leaving.signal)
    const stays = files.take(id, never)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    release()
    expect(await readdir((await stays).directory)).toEqual(['server.js'])
  })

  it('ends the fetch as the last one, which leaves nothing', async () => {
    const { blobs, reads, release } = held()
    const files = await open({ blobs })
    const id = await newManifest(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}`, `${i}`])))
    const leaving = new AbortController()
    const left = files.take(id, leaving.signal)
    await expect.poll(reads).toBeGreaterThan(0)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    release()
    await expect.poll(names).toEqual([])
    expect(reads()).toBeLessThan(40)
    expect((await readdir((await files.take(id, never)).directory)).length).toBe(40)
  })

  it('is refused once the node is stopping', async () => {
    const { blobs, reads, release } = held()
    const files = await open({ blobs })
    const id = await newManifest()
    const waiting = files.take(id, never)
    await expect.poll(reads).toBeGreaterThan(0)
    const closing = files.close()
    await expect(files.take(id, never)).rejects.toMatchObject({ reason: 'stopping' })
    release()
    await expect(waiting).rejects.toMatchObject({ reason: 'stopping' })
    await closing
    expect(await names()).toEqual([])
  })
})

describe('the disk', () => {
  it('has the least recently used ones no longer, where there are too many', async () => {
    const files = await open({ maxBytes: 2 * block })
    const [a = 0, b = 0, c = 0] = [await newManifest(), await newManifest(), await newManifest()]
    for (const id of [a, b, a, c]) {
      clockMs += 1_000
      ;(await files.take(id, never)).giveBack()
    }
    expect(await names()).toEqual([`${a}`, `${c}`].toSorted())
    await files.close()
    // Also where fewer may stay after a restart, by when they were used before.
    const fewer = await open({ maxBytes: block })
    expect(await names()).toEqual([`${c}`])
    await fewer.close()
  })

  it('keeps those that are in use, and refuses others', async () => {
    const files = await open({ maxBytes: 2 * block })
    const [a = 0, b = 0, c = 0] = [await newManifest(), await newManifest(), await newManifest()]
    const taken = [await files.take(a, never), await files.take(b, never)]
    await expect(files.take(c, never)).rejects.toMatchObject({
      reason: 'disk_full',
      message: expect.stringContaining('SVC_RUNTIME_DISK_BYTES'),
    })
    expect(await names()).toEqual([`${a}`, `${b}`].toSorted())
    taken[0]?.giveBack()
    taken[0]?.giveBack()
    await files.take(c, never)
    expect(await names()).toEqual([`${b}`, `${c}`].toSorted())
  })

  it('keeps its reserve', async () => {
    const files = await open({ disk: createDiskReserve(root, Number.MAX_SAFE_INTEGER) })
    await expect(files.take(await newManifest(), never)).rejects.toMatchObject({ reason: 'disk_full' })
    expect(await names()).toEqual([])
  })

  it.for([
    ['small', 12],
    ['large', 3],
  ] as const)('that is full in the middle of a fetch of %s files keeps none', async ([, count], { skip }) => {
    const disk = await mountSmallDisk('8m')
    if (disk === undefined) return skip('only root may mount a disk')
    root = join(disk, 'files')
    const content = () => randomBytes(6_000_000 / count).toString('hex')
    const files = await open()
    const id = await newManifest(
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`, content()])),
    )
    const free = await fillDisk(disk, 4_000)
    await expect(files.take(id, never)).rejects.toMatchObject({ reason: 'disk_full' })
    expect(await names()).toEqual([])
    await free()
    await expect(files.take(id, never)).rejects.toMatchObject({ reason: 'disk_full' })
    const smaller = await newManifest()
    expect(await readdir((await files.take(smaller, never)).directory)).toEqual(['server.js'])
  })

  it('has those of deleted deployments until nobody uses them', async () => {
    const files = await open()
    const [used = 0, unused = 0, stays = 0] = [await newManifest(), await newManifest(), await newManifest()]
    const taken = await files.take(used, never)
    for (const id of [unused, stays]) (await files.take(id, never)).giveBack()
    await releaseManifests(db(), [used, unused], 1)
    expect(await files.sweep()).toBe(2)
    expect(await names()).toEqual([`${used}`, `${stays}`].toSorted())
    taken.giveBack()
    await eventually(async () => expect(await names()).toEqual([`${stays}`]))
  })
})

describe('rows that were tampered with', () => {
  it.each<[string, Partial<typeof manifests.$inferInsert>]>([
    ['a link out', { links: { out: '../..' } }],
    ['an absolute link', { links: { out: '/etc' } }],
    ['a link at a path outside', { links: { '../out': 'x' } }],
    ['a link in the place of a directory', { links: { dir: 'other' } }],
    ['a link in the place of a file', { links: { 'dir/file': 'other' } }],
    ['a link below a file', { links: { 'dir/file/x': 'other' } }],
  ])('with %s are refused', async (_, change) => {
    const id = await newManifest({ 'dir/file': 'x', 'other/y': 'y' })
    await db().update(manifests).set(change).where(eq(manifests.id, id))
    await expect((await open()).take(id, never)).rejects.toThrow()
    expect(await names()).toEqual([])
    expect(await readdir(dirname(root))).toEqual(['files'])
  })

  it.each(['../out', '/out', 'a/../../out'])('with the path %s are refused', async (path) => {
    const id = await newManifest()
    await db().update(manifestEntries).set({ path }).where(eq(manifestEntries.manifestId, id))
    await expect((await open()).take(id, never)).rejects.toThrow('out" must')
    expect(await readdir(dirname(root))).toEqual(['files'])
  })
})
