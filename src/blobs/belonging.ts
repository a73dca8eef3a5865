/** Checks that a blob store and a database belong together: both have the id of one installation. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { blobs } from '../db/schema/blobs.ts'
import { installationId } from '../db/schema/installation.ts'
import { SettingsError } from '../settings/error.ts'
import type { BlobStore } from './blob-store.ts'

type Deps = { db: Database; blobs: BlobStore; directory: string }

/** The state of the two. Up to 300 blobs of the database were looked up in the store. */
export type Belonging = {
  /** The id in the database. */
  database: string | undefined
  /** The id in the store. */
  owner: string | undefined
  isEmpty: boolean
  sampled: number
  found: number
}

const sampleSize = 300

/** A few may have been lost; of another installation's blobs none exists. */
const enoughShare = 0.9

/** Inspects both, and changes neither. */
export async function readBelonging({ db, blobs: store }: Deps): Promise<Belonging> {
  const [database, owner, isEmpty] = await Promise.all([readId(db), store.readOwner(), store.isEmpty()])
  const objects = await sampleObjects(db)
  const missing = await store.findMissing(objects)
  return { database, owner, isEmpty, sampled: objects.length, found: objects.length - missing.length }
}

/**
 * Gives both the id of one installation if they have none yet and their contents match.
 * @throws SettingsError when the store is another installation's, or has files that this database doesn't reference.
 */
export async function checkBelonging(deps: Deps): Promise<void> {
  const { db, blobs: store } = deps
  const [database, owner] = await Promise.all([readId(db), store.readOwner()])
  if (owner !== undefined && owner === database) return
  if (owner !== undefined && database !== undefined) throw foreign(deps, owner)
  const belonging = await readBelonging(deps)
  const isFound = belonging.sampled > 0 && belonging.found >= belonging.sampled * enoughShare
  if (owner === undefined) {
    if (!belonging.isEmpty && !isFound) throw unknown(deps, belonging)
    return store.setOwner(await makeId(db))
  }
  // A database from before there were ids, such as a restored one.
  if (!isFound || (await makeId(db, owner)) !== owner) throw foreign(deps, owner)
}

/** Assigns the store to this database, whatever it contains. */
export async function adoptStore({ db, blobs: store }: Deps): Promise<void> {
  await store.setOwner(await makeId(db))
}

async function readId(db: Database): Promise<string | undefined> {
  const [row] = await db.select({ value: installationId.value }).from(installationId)
  return row?.value
}

/** The database's id, `id` if it had none: when nodes start together, the first one's. */
async function makeId(db: Database, id: string = randomUUID()): Promise<string> {
  await db.insert(installationId).values({ id: 1, value: id }).onConflictDoNothing()
  return (await readId(db)) ?? id
}

/** Once in the life of an installation, so it may read every row. */
async function sampleObjects(db: Database): Promise<string[]> {
  const rows = await db.select({ object: blobs.object }).from(blobs).orderBy(sql`random()`).limit(sampleSize)
  return rows.map(({ object }) => object)
}

const wayOut =
  'Nothing was changed. Start with the database and the files that belong together (DATABASE_URL, SVC_DATA_DIR); ' +
  'or, to assign these files to this database, run `svc admin blobs adopt` first.'

function foreign({ directory }: Deps, owner: string): SettingsError {
  return new SettingsError(
    `The files in ${directory} belong to installation ${owner}, and this database to another. ${wayOut}`,
  )
}

function unknown({ directory }: Deps, { sampled, found }: Belonging): SettingsError {
  const seen =
    sampled === 0
      ? 'this database references none'
      : `of ${sampled} that this database references, ${found} ${found === 1 ? 'exists' : 'exist'}`
  return new SettingsError(`There are files in ${directory}, but ${seen}. ${wayOut}`)
}
