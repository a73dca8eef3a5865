/**
 * Ensures that the team has every blob of a deployment: inline content is stored, the rest must be uploaded.
 */
import { inParallel } from '../../lib/async/in-parallel.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { spelledOut } from '../../lib/names/spelled-out.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import { openUploads, signAll, takeArrived } from '../../stores/blobs/direct-uploads.ts'
import type { KnownBlobs } from '../../stores/blobs/known-blobs.ts'
import { checkRoom, reserve, type StorageLimits, withRoom } from '../../stores/blobs/quota.ts'
import { recordStored } from '../../stores/blobs/record-stored.ts'
import { findWhole } from '../../stores/blobs/reuse-stored.ts'
import type { KnownBlob, StoredBlob } from '../../stores/blobs/rows.ts'
import { signUploadUrl } from '../../stores/blobs/upload-url.ts'
import type { Store } from '../../stores/db/store.ts'
import type { CheckedFile } from '../sites/file-list.ts'
import type { SentContent, SentZip } from './check-files.ts'
import { findSeenDigests, type Sender } from './seen-digests.ts'

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

/** Stored objects that are recorded in one transaction. */
const recordedTogether = 64

export type Sending = {
  zip?: SentZip | undefined
  /** Whether the client can send files straight to the blob store. */
  directUploads?: boolean | undefined
  /** The sender, if it is a member who is limited to some projects. */
  limited?: Sender | undefined
}

/**
 * The team's blobs by digest, one for each file; content is inline, or in the zip. Of what a limited member
 * doesn't send, only digests that it sees count as the team's, and it sends what is missing through a node.
 * @throws AppError `files_missing` with an upload URL for each digest that the team doesn't have;
 * `storage_quota` if they exceed its quota.
 */
export async function ensureBlobs(
  deps: BlobDeps,
  teamId: string,
  files: CheckedFile[],
  { zip, directUploads = false, limited }: Sending = {},
): Promise<Map<string, KnownBlob>> {
  const sent: SentContent = zip?.content ?? new Map()
  const { alongBytes } = zip ?? {}
  const isHere = (file: CheckedFile) => file.bytes !== undefined || sent.has(file.sha256)
  const unseen = limited ? await findUnseen(deps, limited, files, isHere) : new Map<string, CheckedFile>()
  const seen = unseen.size === 0 ? files : files.filter(({ sha256 }) => !unseen.has(sha256))
  const { known, missing: lost } = await lookUp(deps, teamId, seen)
  const missing = [...lost, ...unseen.values()]
  if (missing.length === 0) return known
  const inline = missing.filter(isHere)
  const wanted = missing.filter((file) => !isHere(file))
  if (!limited) for (const blob of await findArrived(deps, teamId, wanted)) known.set(blob.sha256, blob)
  const absent = wanted.filter(({ sha256 }) => !known.has(sha256))
  const room = { ...deps, db: deps.store.db, tellsNothing: limited !== undefined }
  if (absent.length > 0) {
    await checkRoom(room, teamId, [...inline, ...absent])
    const offered = directUploads && !limited ? await offerDirect(deps, teamId, absent) : []
    throw filesMissing(deps, { teamId, senderId: limited?.senderId }, absent, offered)
  }
  const reservation = await reserve(room, teamId, inline)
  for (const blob of await storeInline(deps, teamId, inline, { sent, alongBytes }).finally(
    reservation.release,
  ))
    known.set(blob.sha256, blob)
  const others = missing.filter(({ sha256 }) => !known.has(sha256))
  if (others.length === 0) return known
  // Stored by somebody else meanwhile.
  return new Map([...known, ...(await lookUp(deps, teamId, others)).known])
}

/** A file for each digest of which a limited member neither sends nor sees the bytes. */
async function findUnseen(
  { store, nowMs }: BlobDeps,
  sender: Sender,
  files: CheckedFile[],
  isHere: (file: CheckedFile) => boolean,
): Promise<Map<string, CheckedFile>> {
  const named = new Map(files.map((file) => [file.sha256, file]))
  for (const file of files) if (isHere(file)) named.delete(file.sha256)
  const seen = await findSeenDigests(store.db, sender, [...named.keys()], nowMs())
  for (const sha256 of seen) named.delete(sha256)
  return named
}

/** Looks the files' blobs up again. */
export function forget(knownBlobs: KnownBlobs, teamId: string, files: CheckedFile[]): void {
  for (const { sha256 } of files) knownBlobs.forget(teamId, sha256)
}

/**
 * The team's blobs for the files' digests, and one file for each missing digest. A blob whose object is lost,
 * or has another length, counts as missing: so deploying a site again repairs it.
 */
async function lookUp({ store, blobs, knownBlobs, nowMs }: BlobDeps, teamId: string, files: CheckedFile[]) {
  const byDigest = new Map<string, CheckedFile>()
  for (const file of files) if (!byDigest.has(file.sha256) || file.bytes) byDigest.set(file.sha256, file)
  const seen = [...byDigest.keys()].flatMap((sha256) => knownBlobs.get(teamId, sha256) ?? [])
  const lost = new Set(await blobs.findMissing(seen))
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
        `${spelledOut(file.path)} has a size of ${file.size}, but the blob of this sha256 has ${size} bytes`,
      )
    }
  }
  return { known, missing: [...byDigest.values()].filter((file) => !known.has(file.sha256)) }
}

/** The files that came straight to the blob store, whichever request makes blobs of them. */
async function findArrived(
  deps: BlobDeps,
  teamId: string,
  wanted: CheckedFile[],
): Promise<Iterable<KnownBlob>> {
  if (!deps.blobs.isShared || wanted.length === 0) return []
  const taken = await takeArrived(storesOf(deps), teamId, wanted)
  if (taken.length === wanted.length) return taken
  const digests = new Set(taken.map(({ sha256 }) => sha256))
  const others = wanted.filter(({ sha256 }) => !digests.has(sha256))
  return [...taken, ...(await lookUp(deps, teamId, others)).known.values()]
}

/**
 * Stores the files' content, and records it as it goes: a process that dies leaves few files of which the
 * database knows nothing. Returns the blobs, without those that the team already has by now.
 */
async function storeInline(
  deps: BlobDeps,
  teamId: string,
  files: CheckedFile[],
  { sent, alongBytes = Number.POSITIVE_INFINITY }: { sent: SentContent; alongBytes?: number | undefined },
): Promise<KnownBlob[]> {
  async function store({ sha256, size, bytes }: CheckedFile): Promise<StoredBlob> {
    const content = sent.get(sha256)?.() ?? single(bytes ?? Buffer.alloc(0))
    const object = await deps.blobs.put(teamId, { sha256, size }, content)
    return { teamId, sha256, size, object }
  }
  const isAlong = ({ size }: CheckedFile) => size <= alongBytes
  const along = files.filter(isAlong)
  const groups: CheckedFile[][] = []
  for (let at = 0; at < along.length; at += recordedTogether)
    groups.push(along.slice(at, at + recordedTogether))
  groups.push(...files.filter((each) => !isAlong(each)).map((file) => [file]))
  const known: KnownBlob[] = []
  for (const group of groups)
    known.push(...(await recordStored(storesOf(deps), await inParallel(group, parallelPuts, store))))
  return known
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function storesOf({ store, blobs, nowMs }: BlobDeps) {
  return { db: store.db, blobs, nowMs: nowMs() }
}

/**
 * Uploads that bypass the nodes, with space reserved for them, for as many of the files as the store takes
 * them.
 */
async function offerDirect(
  deps: BlobDeps,
  teamId: string,
  files: CheckedFile[],
): Promise<ReturnType<typeof signAll>> {
  const sign = await deps.blobs.directUploads()
  if (!sign) return []
  const nowMs = deps.nowMs()
  const open = await withRoom({ ...deps, db: deps.store.db }, teamId, files, (tx) =>
    openUploads(tx, teamId, files, nowMs),
  )
  return signAll(sign, open, nowMs)
}

function filesMissing(
  deps: BlobDeps,
  owner: { teamId: string; senderId: string | undefined },
  files: CheckedFile[],
  offered: ReturnType<typeof signAll>,
): AppError {
  const nowMs = deps.nowMs()
  const direct = new Map(offered.map((each) => [each.sha256, each.direct]))
  const missing = files.map(({ sha256, size }) => ({
    sha256,
    upload_url: signUploadUrl(deps, { ...owner, sha256, size }, nowMs),
    ...(direct.has(sha256) && { direct: direct.get(sha256) }),
  }))
  return new AppError(
    'files_missing',
    `${missing.length} of the files are missing: ` +
      'PUT each to its upload_url, then send the same request again.',
    { missing },
  )
}
