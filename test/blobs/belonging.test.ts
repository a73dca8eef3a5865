import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { adoptStore, checkBelonging } from '../../src/blobs/belonging.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFileBlobStore } from '../../src/blobs/file-store.ts'
import type { Database } from '../../src/db/open.ts'
import { blobs } from '../../src/db/schema/blobs.ts'
import { installationId } from '../../src/db/schema/installation.ts'
import { manifestEntries } from '../../src/db/schema/manifests.ts'
import { SettingsError } from '../../src/settings/error.ts'
import { startOwnNode } from '../db/own-node.ts'
import type { TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
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

/** Does it in a database that has this id and these objects, and undoes that. */
async function inDatabase(
  { id, objects = [] }: { id?: string; objects?: string[] },
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const undone = node.installation.store.db.transaction(async (tx) => {
    await tx.delete(manifestEntries)
    await tx.delete(blobs)
    await tx.delete(installationId)
    if (id !== undefined) await tx.insert(installationId).values({ id: 1, value: id })
    const rows = objects.map((object, at) => ({ teamId: team.id, sha256: `${at}`, size: 1, object }))
    if (rows.length > 0) await tx.insert(blobs).values(rows)
    await work(tx)
    throw new RolledBack()
  })
  await expect(undone).rejects.toThrow(RolledBack)
}

const idIn = async (db: Database) => (await db.select().from(installationId))[0]?.value

const check = (db: Database) => checkBelonging({ db, blobs: store, directory })

async function expectRefused(db: Database, text: string): Promise<void> {
  const before = { id: await idIn(db), owner: await store.readOwner() }
  await expect(check(db)).rejects.toThrow(SettingsError)
  await expect(check(db)).rejects.toThrow(text)
  expect({ id: await idIn(db), owner: await store.readOwner() }).toEqual(before)
}

describe('a store of blobs without a mark', () => {
  it("that is empty becomes the database's, as do others after it", async () => {
    await inDatabase({}, async (db) => {
      await check(db)
      const id = await idIn(db)
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(await store.readOwner()).toBe(id)
      store = await createFileBlobStore(join(directory, 'other'))
      await check(db)
      expect(await store.readOwner()).toBe(id)
    })
  })

  it("becomes the database's where its blobs are there, but for a few", async () => {
    const objects = await Promise.all(Array.from({ length: 30 }, (_, at) => put(`${at}`)))
    await store.remove(objects[0] ?? '')
    await inDatabase({ id: 'known', objects }, async (db) => {
      await check(db)
      expect(await store.readOwner()).toBe('known')
    })
  })

  it('is refused where the database knows of no blobs, or of others', async () => {
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

  it("is that database's, whatever they hold", async () => {
    await inDatabase({ id: 'one', objects: [`${team.id}/lost`] }, check)
  })

  it('is refused by another database, and by one without an id that does not know its blobs', async () => {
    const object = await put('here')
    await inDatabase({ id: 'other', objects: [object] }, (db) =>
      expectRefused(db, 'belong to installation one'),
    )
    await inDatabase({}, (db) => expectRefused(db, 'belong to installation one'))
  })

  it('gives its id to the database of before there were ids', async () => {
    const object = await put('here')
    await inDatabase({ objects: [object] }, async (db) => {
      await check(db)
      expect(await idIn(db)).toBe('one')
    })
  })

  it("is another's once it was adopted", async () => {
    await put('here')
    await inDatabase({ id: 'other' }, async (db) => {
      await adoptStore({ db, blobs: store, directory })
      await check(db)
      expect(await store.readOwner()).toBe('other')
    })
  })
})
