/** Ensures that the team has every blob of a deployment: inline content is stored, the rest must be uploaded. */
import type { BlobStore } from '../blobs/blob-store.ts'
import type { KnownBlobs } from '../blobs/known-blobs.ts'
import { checkRoom, reserve, type StorageLimits } from '../blobs/quota.ts'
import { type KnownBlob, recordBlobs, type StoredBlob } from '../blobs/rows.ts'
import { findWhole, settle } from '../blobs/settle.ts'
import { signUploadUrl } from '../blobs/upload-url.ts'
import type { Store } from '../db/store.ts'
import { AppError, invalidField } from '../errors.ts'
import type { PlannedFile } from './plan-files.ts'

export type BlobDeps = {
  store: Store
  blobs: BlobStore
  knownBlobs: KnownBlobs
  storage: StorageLimits
  apiUrl: string
  uploadKey: Buffer
  nowMs: () => number
}

/** Concurrent writes of objects. */
const parallelPuts = 16

/**
 * The team's blobs by digest, one for each file.
 * @throws AppError `files_missing` with an upload URL for each digest that the team doesn't have; `storage_quota` if they
 * exceed its quota.
 */
export async function ensureBlobs(
  deps: BlobDeps,
  teamId: string,
  files: PlannedFile[],
): Promise<Map<string, KnownBlob>> {
  const first = await lookUp(deps, teamId, files)
  if (first.missing.length === 0) return first.known
  const inline = first.missing.filter((file) => file.bytes !== undefined)
  if (inline.length < first.missing.length) {
    await checkRoom({ ...deps, db: deps.store.db }, teamId, first.missing)
    throw filesMissing(
      deps,
      teamId,
      first.missing.filter((file) => file.bytes === undefined),
    )
  }
  const reservation = await reserve({ ...deps, db: deps.store.db }, teamId, inline)
  const known = await storeInline(deps, teamId, inline).finally(reservation.release)
  for (const [sha256, blob] of first.known) known.set(sha256, blob)
  const others = inline.filter(({ sha256 }) => !known.has(sha256))
  if (others.length === 0) return known
  // Stored by somebody else meanwhile.
  return new Map([...known, ...(await lookUp(deps, teamId, others)).known])
}

/** Looks the files' blobs up again. */
export function forget(knownBlobs: KnownBlobs, teamId: string, files: PlannedFile[]): void {
  for (const { sha256 } of files) knownBlobs.forget(teamId, sha256)
}

/**
 * The team's blobs for the files' digests, and one file for each missing digest. A blob whose object is lost counts as
 * missing: so deploying a site again repairs it.
 */
async function lookUp({ store, blobs, knownBlobs, nowMs }: BlobDeps, teamId: string, files: PlannedFile[]) {
  const byDigest = new Map<string, PlannedFile>()
  for (const file of files) if (!byDigest.has(file.sha256) || file.bytes) byDigest.set(file.sha256, file)
  const seen = [...byDigest.keys()].flatMap((sha256) => knownBlobs.get(teamId, sha256) ?? [])
  const lost = new Set(await blobs.findMissing(seen.map(({ object }) => object)))
  const known = new Map<string, KnownBlob>()
  for (const blob of seen) {
    if (lost.has(blob.object)) knownBlobs.forget(teamId, blob.sha256)
    else known.set(blob.sha256, blob)
  }
  const others = [...byDigest.keys()].filter((sha256) => !known.has(sha256))
  for (const row of await findWhole({ db: store.db, blobs, nowMs: nowMs() }, teamId, others)) {
    known.set(row.sha256, row)
    if (!row.isMarked) knownBlobs.add(teamId, row)
  }
  for (const { sha256, size } of known.values()) {
    const file = byDigest.get(sha256)
    if (file && file.size !== size) {
      throw invalidField(
        `files.${file.index}.size`,
        `is ${file.size}, but the blob of this sha256 has ${size} bytes`,
      )
    }
  }
  return { known, missing: [...byDigest.values()].filter((file) => !known.has(file.sha256)) }
}

/** Stores the files' content. Returns the blobs by digest, without those that the team already has by now. */
async function storeInline(
  { store, blobs, nowMs }: BlobDeps,
  teamId: string,
  files: PlannedFile[],
): Promise<Map<string, KnownBlob>> {
  const stored: StoredBlob[] = []
  const rest = files.values()
  async function storeSome(): Promise<void> {
    for (const { sha256, size, bytes } of rest) {
      const object = await blobs.put(teamId, { sha256, size }, single(bytes ?? Buffer.alloc(0)))
      stored.push({ teamId, sha256, size, object })
    }
  }
  await Promise.all(Array.from({ length: parallelPuts }, storeSome))
  const { recorded, unneeded } = await recordBlobs(store.db, stored, nowMs())
  if (unneeded.size > 0) {
    const settled = await settle(
      { db: store.db, blobs, nowMs: nowMs() },
      stored.filter(({ object }) => unneeded.has(object)),
    )
    await Promise.all([...unneeded].filter((object) => !settled.has(object)).map(blobs.remove))
  }
  return new Map(recorded.map((blob) => [blob.sha256, blob]))
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function filesMissing(deps: BlobDeps, teamId: string, files: PlannedFile[]): AppError {
  const nowMs = deps.nowMs()
  const missing = files.map(({ sha256, size }) => ({
    sha256,
    upload_url: signUploadUrl(deps, { teamId, sha256, size }, nowMs),
  }))
  return new AppError(
    'files_missing',
    `${missing.length} of the files are missing: PUT each to its upload_url, then send the same request again.`,
    { missing },
  )
}
