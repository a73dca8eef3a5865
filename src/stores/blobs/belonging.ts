/**
 * Checks that a blob store and a database belong together: both have the id of one installation, and its
 * files one place.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { and, isNull, sql } from 'drizzle-orm'
import { SettingsError } from '../../lib/settings/error.ts'
import type { Database } from '../db/database.ts'
import { blobs } from '../db/schema/blobs.ts'
import { installationId } from '../db/schema/installation.ts'
import type { BlobStore, RecordedObject } from './blob-store.ts'

type Deps = { db: Database; blobs: BlobStore; location: string }

type Row = typeof installationId.$inferSelect

/** Where files are: in a bucket, or in the directory with an id. */
export type FilesPlace = Pick<Row, 'bucket' | 'directory' | 'directoryPlace'>

/** The state of the two. Up to 300 blobs of the database were looked up in the store. */
export type Belonging = {
  /** The id in the database. */
  database: string | undefined
  /** The id in the store. */
  owner: string | undefined
  /** Where the database records its files, for people, if that is another place. */
  elsewhere: string | undefined
  /** Whether the database records this place. */
  isRecorded: boolean
  isEmpty: boolean
  sampled: number
  found: number
}

const sampleSize = 300

/** A few may have been lost; of another installation's blobs none exists. */
const enoughShare = 0.9

/** Inspects both, and changes neither. */
export async function readBelonging(deps: Deps): Promise<Belonging> {
  const { db, blobs: store } = deps
  const [row, owner, isEmpty, place] = await Promise.all([
    readRow(db),
    store.readOwner(),
    store.isEmpty(),
    placeOf(deps),
  ])
  const objects = await sampleObjects(db)
  const missing = await store.findMissing(objects)
  return {
    database: row?.value,
    owner,
    elsewhere: row && elsewhere(row, place),
    isRecorded: row !== undefined && isSame(row, place),
    isEmpty,
    sampled: objects.length,
    found: objects.length - missing.length,
  }
}

/**
 * Gives both the id of one installation if they have none yet and their contents match, and records the
 * place.
 * @throws SettingsError when the store is another installation's, has files that this database doesn't
 * reference, or isn't where the installation's files are.
 */
export async function checkBelonging(deps: Deps): Promise<void> {
  const { db, blobs: store } = deps
  const [row, owner, place] = await Promise.all([readRow(db), store.readOwner(), placeOf(deps)])
  if (row) refuseElsewhere(deps, row, place)
  if (owner !== undefined && row !== undefined && owner !== row.value) throw foreign(deps, owner)
  const isNewPlace = row !== undefined && !isSame(row, place)
  if (owner !== undefined && row !== undefined && !isNewPlace) return
  const belonging = await readBelonging(deps)
  const isFound = belonging.sampled > 0 && belonging.found >= belonging.sampled * enoughShare
  if (isNewPlace && belonging.sampled > 0 && !isFound) throw notThere(deps, belonging)
  if (owner === undefined && !belonging.isEmpty && !isFound) throw unknown(deps, belonging)
  // A database from before there were ids, such as a restored one.
  if (owner !== undefined && row === undefined && !isFound) throw foreign(deps, owner)
  const recorded = await record(deps, place, owner)
  if (owner !== undefined && recorded.value !== owner) throw foreign(deps, owner)
  refuseElsewhere(deps, recorded, place)
  if (owner === undefined) await store.setOwner(recorded.value)
}

/** Whether the store is recorded as this database's. */
export function isAdopted({ owner, database, isRecorded }: Belonging): boolean {
  return owner !== undefined && owner === database && isRecorded
}

/** Assigns the store to this database, whatever it contains. */
export async function adoptStore(deps: Deps): Promise<void> {
  const place = await placeOf(deps)
  const { value } = await record(deps, place)
  await deps.blobs.setOwner(value)
  await deps.db.update(installationId).set(place)
}

/** Where a store's files are, as the database records it. */
export async function placeOf({
  blobs: store,
  location,
}: Pick<Deps, 'blobs' | 'location'>): Promise<FilesPlace> {
  const directory = (await store.directoryId()) ?? null
  return directory === null
    ? { bucket: location, directory, directoryPlace: null }
    : { bucket: null, directory, directoryPlace: `${location} on ${hostname()}` }
}

const isSame = (one: FilesPlace, other: FilesPlace) =>
  one.bucket === other.bucket && one.directory === other.directory

/**
 * The recorded place, unless it is this one, or the files of a directory may have been copied to this bucket.
 */
function elsewhere({ bucket, directory, directoryPlace }: Row, place: FilesPlace): string | undefined {
  if (bucket !== null) return bucket === place.bucket ? undefined : bucket
  if (directory === null || place.bucket !== null || directory === place.directory) return undefined
  return directoryPlace ?? directory
}

function refuseElsewhere(deps: Deps, row: Row, place: FilesPlace): void {
  const recorded = elsewhere(row, place)
  if (recorded === undefined) return
  throw row.bucket === null
    ? inOtherDirectory(deps, recorded)
    : inOtherBucket(deps, recorded, place.bucket ?? 'files')
}

async function readRow(db: Database): Promise<Row | undefined> {
  const [row] = await db.select().from(installationId)
  return row
}

/** The recorded id and place: when nodes start together, those of the first one. */
async function record({ db }: Deps, place: FilesPlace, id: string = randomUUID()): Promise<Row> {
  await db
    .insert(installationId)
    .values({ id: 1, value: id, ...place })
    .onConflictDoNothing()
  const { bucket, directory } = installationId
  const isFree = place.bucket === null ? and(isNull(bucket), isNull(directory)) : isNull(bucket)
  await db.update(installationId).set(place).where(isFree)
  const row = await readRow(db)
  if (!row) throw new Error('The installation has no id.')
  return row
}

/** Once in the life of an installation, so it may read every row. */
async function sampleObjects(db: Database): Promise<RecordedObject[]> {
  const { object, size } = blobs
  return db.select({ object, size }).from(blobs).orderBy(sql`random()`).limit(sampleSize)
}

const wayOut =
  'Nothing was changed. Start with the database and the files that belong together ' +
  '(DATABASE_URL, SVC_DATA_DIR, SVC_BLOBS); if a restore was broken off, repeat it; ' +
  'or, to assign these files to this database, run `svc admin blobs adopt` first.'

function foreign({ location }: Deps, owner: string): SettingsError {
  return new SettingsError(
    `The files in ${location} belong to installation ${owner}, and this database to another. ${wayOut}`,
  )
}

function unknown({ location }: Deps, { sampled, found }: Belonging): SettingsError {
  const seen =
    sampled === 0
      ? 'this database references none'
      : `of ${sampled} that this database references, ${found} ${found === 1 ? 'exists' : 'exist'}`
  return new SettingsError(`There are files in ${location}, but ${seen}. ${wayOut}`)
}

function inOtherBucket({ location }: Deps, bucket: string, here: string): SettingsError {
  return new SettingsError(
    `The files of this installation are in ${bucket}, and this node would use ${location}. ` +
      `Set SVC_BLOBS=${bucket}; or, to move them, run \`svc admin blobs copy ${bucket} ${here}\`, ` +
      'and then `svc admin blobs adopt`.',
  )
}

function inOtherDirectory({ location }: Deps, directory: string): SettingsError {
  return new SettingsError(
    `The files of this installation are in ${directory}, and this node would use ${location}, ` +
      "where other nodes don't find them. Set SVC_BLOBS, on every node, to a bucket that all of them " +
      'share; `svc admin blobs copy` moves the files there. ' +
      `If the files are in ${location} now, run \`svc admin blobs adopt\` first.`,
  )
}

function notThere({ location, blobs: store }: Deps, { sampled, found }: Belonging): SettingsError {
  const wayIn = store.isShared
    ? `Copy them there first: \`svc admin blobs copy files ${location}\`.`
    : 'They are in the data directory of another node: set SVC_BLOBS, on every node, to a bucket ' +
      'that all of them share (`svc admin blobs copy` moves the files there), or start with the right ' +
      'SVC_DATA_DIR. If the rest is lost, run `svc admin blobs adopt` first.'
  return new SettingsError(
    `Of ${sampled} files that this database references, ` +
      `${found} ${found === 1 ? 'exists' : 'exist'} in ${location}. ${wayIn} Nothing was changed.`,
  )
}
