import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../../src/lib/settings/error.ts'
import { adoptStore, checkBelonging } from '../../../src/stores/blobs/belonging.ts'
import type { BlobStore } from '../../../src/stores/blobs/blob-store.ts'
import { createFileBlobStore } from '../../../src/stores/blobs/file-store.ts'
import { createS3Client, type S3Client } from '../../../src/stores/blobs/s3/client.ts'
import { createS3BlobStore } from '../../../src/stores/blobs/s3/s3-store.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { blobs } from '../../../src/stores/db/schema/blobs.ts'
import { installationId } from '../../../src/stores/db/schema/installation.ts'
import { manifestEntries } from '../../../src/stores/db/schema/manifests.ts'
import type { TestNode } from '../../support/node.ts'
import { type S3Server, startS3 } from '../../support/s3/server.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startOwnNode } from '../db/own-node.ts'
import { chunks, identityOf } from './conformance.ts'

let node: TestNode
let team: TestTeam
const directories: string[] = []
let directory: string
let store: BlobStore

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
})

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-belonging-'))
  directories.push(directory)
  store = await createFileBlobStore(directory)
})

afterAll(async () => {
  await node.stop()
  for (const each of directories) await rm(each, { recursive: true, force: true })
})

const put = (content: string) => store.put(team.id, identityOf(content), chunks(content))

class RolledBack extends Error {}

type Place = { bucket: string | null; directory: string | undefined }

/** Runs a check in a database that has this id and these objects, and rolls that back. */
async function inDatabase(
  { id, objects = [], ...place }: { id?: string; objects?: string[] } & Partial<Place>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const undone = node.installation.store.db.transaction(async (tx) => {
    await tx.delete(manifestEntries)
    await tx.delete(blobs)
    await tx.delete(installationId)
    if (id !== undefined) await tx.insert(installationId).values({ id: 1, value: id, ...place })
    const sizes = await store.sizesOf(objects)
    const sizeOf = (object: string) => sizes.get(object) ?? 1
    const rows = objects.map((object, at) => ({
      teamId: team.id,
      sha256: `${at}`,
      size: sizeOf(object),
      object,
    }))
    if (rows.length > 0) await tx.insert(blobs).values(rows)
    await work(tx)
    throw new RolledBack()
  })
  await expect(undone).rejects.toThrow(RolledBack)
}

const idIn = async (db: Database) => (await db.select().from(installationId))[0]?.value

const check = (db: Database) => checkBelonging({ db, blobs: store, location: directory })

async function expectRefused(db: Database, text: string): Promise<void> {
  const before = { id: await idIn(db), owner: await store.readOwner() }
  await expect(check(db)).rejects.toThrow(SettingsError)
  await expect(check(db)).rejects.toThrow(text)
  expect({ id: await idIn(db), owner: await store.readOwner() }).toEqual(before)
}

describe('a store of blobs without a mark', () => {
  it("becomes the database's if it is empty, and no other one after it", async () => {
    await inDatabase({}, async (db) => {
      await check(db)
      const id = await idIn(db)
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(await store.readOwner()).toBe(id)
      await check(db)
      const first = directory
      directory = join(first, 'other')
      store = await createFileBlobStore(directory)
      await expectRefused(
        db,
        `The files of this installation are in ${first} on ${hostname()}, and this node would use`,
      )
      await expectRefused(db, 'Set SVC_BLOBS, on every node')
    })
  })

  it('is the same by another path, as on a file system that machines share', async () => {
    await inDatabase({}, async (db) => {
      await check(db)
      const link = `${directory}-link`
      await symlink(directory, link)
      directories.push(link)
      store = await createFileBlobStore(link)
      await check(db)
    })
  })

  it('is refused if it is empty and the database knows blobs, as of an earlier version', async () => {
    await inDatabase({ id: 'known', objects: [`${team.id}/a`] }, (db) =>
      expectRefused(
        db,
        `Of 1 files that this database references, 0 exist in ${directory}. They are in the data directory`,
      ),
    )
  })

  it("becomes the database's if it has nearly all of its blobs", async () => {
    const objects = await Promise.all(Array.from({ length: 30 }, (_, at) => put(`${at}`)))
    await store.remove(objects[0] ?? '')
    await inDatabase({ id: 'known', objects }, async (db) => {
      await check(db)
      expect(await store.readOwner()).toBe('known')
    })
  })

  it('is refused if the database knows no blobs, or others', async () => {
    const object = await put('here')
    await inDatabase({}, (db) => expectRefused(db, 'but this database references none.'))
    const others = [object, `${team.id}/a`, `${team.id}/b`]
    await inDatabase({ objects: others }, (db) =>
      expectRefused(db, 'but of 3 that this database references, 1 exists.'),
    )
  })
})

describe('a store with the mark of an installation', () => {
  beforeEach(() => store.setOwner('one'))

  it("is that database's, whatever it contains, once it is recorded", async () => {
    const recorded = { id: 'one', directory: await store.directoryId() }
    await inDatabase({ ...recorded, objects: [`${team.id}/lost`] }, check)
  })

  it('is recorded if it has its blobs', async () => {
    const objects = [await put('here')]
    await inDatabase({ id: 'one', objects }, async (db) => {
      await check(db)
      expect((await db.select().from(installationId))[0]).toMatchObject({
        directory: await store.directoryId(),
        directoryPlace: `${directory} on ${hostname()}`,
      })
    })
  })

  it('is refused by another database, and by one without an id that does not know its blobs', async () => {
    const object = await put('here')
    await inDatabase({ id: 'other', objects: [object] }, (db) =>
      expectRefused(db, 'belong to installation one'),
    )
    await inDatabase({}, (db) => expectRefused(db, 'belong to installation one'))
  })

  it('gives its id to a database from before there were ids', async () => {
    const object = await put('here')
    await inDatabase({ objects: [object] }, async (db) => {
      await check(db)
      expect(await idIn(db)).toBe('one')
    })
  })

  it('belongs to another database once that has adopted it', async () => {
    await put('here')
    await inDatabase({ id: 'other' }, async (db) => {
      await adoptStore({ db, blobs: store, location: directory })
      await check(db)
      expect(await store.readOwner()).toBe('other')
    })
  })
})

describe('a bucket', () => {
  let s3: S3Server
  let client: S3Client

  beforeEach(async () => {
    s3 = await startS3()
    client = createS3Client(s3.address)
    store = createS3BlobStore(client)
    directory = 's3://blobs/'
  })

  afterEach(async () => {
    await client.close()
    await s3.close()
  })

  const bucketIn = async (db: Database) => (await db.select().from(installationId))[0]?.bucket

  it('becomes that of a new installation, and of one without files, and stays it', async () => {
    for (const given of [{}, { id: 'one' }]) {
      s3.bucket.objects.clear()
      await inDatabase(given, async (db) => {
        await check(db)
        expect(await bucketIn(db)).toBe('s3://blobs/')
        expect(await store.readOwner()).toBe(await idIn(db))
        await check(db)
      })
    }
  })

  it('is refused until the files are in it', async () => {
    const objects = [`${team.id}/a`, `${team.id}/b`]
    await inDatabase({ id: 'one', objects }, (db) =>
      expectRefused(
        db,
        'Of 2 files that this database references, 0 exist in s3://blobs/. Copy them there first',
      ),
    )
    const copied = await Promise.all(['a', 'b'].map(put))
    await inDatabase({ id: 'one', objects: copied }, async (db) => {
      await check(db)
      expect(await bucketIn(db)).toBe('s3://blobs/')
    })
  })

  it("is refused where the installation's is another, and so are files in a directory", async () => {
    const refusal = 'The files of this installation are in s3://other/, and this node would use'
    await inDatabase({ id: 'one', bucket: 's3://other/' }, (db) => expectRefused(db, refusal))
    directory = '/files'
    store = await createFileBlobStore(directories[0] ?? '')
    await inDatabase({ id: 'one', bucket: 's3://other/' }, (db) =>
      expectRefused(db, 'Set SVC_BLOBS=s3://other/'),
    )
  })

  it('is refused if it is of another installation', async () => {
    await store.setOwner('two')
    await inDatabase({ id: 'one' }, (db) => expectRefused(db, 'belong to installation two'))
  })

  it('can be left by adopting a directory', async () => {
    directory = '/files'
    store = await createFileBlobStore(directories[0] ?? '')
    await inDatabase({ id: 'one', bucket: 's3://blobs/' }, async (db) => {
      await adoptStore({ db, blobs: store, location: directory })
      expect(await bucketIn(db)).toBe(null)
      await check(db)
    })
  })
})
