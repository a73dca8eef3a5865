/** Creates the compressed variants of blobs, one blob at a time, and records them in small batches. */
import { hash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { BlobStore } from './blob-store.ts'
import { compress } from './compress.ts'
import {
  type Claim,
  claimDue,
  type Encoded,
  isHopeless,
  postpone,
  recordForms,
  release,
} from './encode-queue.ts'
import type { EncodedForms } from './encodings.ts'
import { verifyBytes } from './verify-bytes.ts'

type Deps = {
  db: Database
  blobs: BlobStore
  /** Wall clock, in Unix milliseconds. */
  nowMs: () => number
  /** Aborts the work; unfinished blobs are released. */
  stopping: AbortSignal
}

const blobsPerRound = 32

/** Finished variants are recorded no later than this. */
const recordEveryMs = 250

/** A variant must save a tenth of the bytes to be kept. */
const maxRatio = 0.9

/**
 * Stores the variants of up to 32 due blobs. A variant is recorded only once it is durable; unrecorded ones
 * of a crash are swept as stray objects and created again. Returns whether there may be more.
 * @throws when compressing a blob fails for now; the others of the batch are left to the next.
 */
export async function encodeDue(deps: Deps): Promise<boolean> {
  const claims = await claimDue(deps.db, blobsPerRound, deps.nowMs())
  const done: Encoded[] = []
  let recordedMs = performance.now()
  for (const [index, claim] of claims.entries()) {
    if (deps.nowMs() >= claim.untilMs) break
    try {
      deps.stopping.throwIfAborted()
      done.push({ claim, forms: isHopeless(claim) ? {} : await makeForms(deps, claim) })
    } catch (error) {
      await Promise.all([record(deps, done), giveBack(deps, claim, claims.slice(index + 1))])
      if (deps.stopping.aborted) return false
      throw error
    }
    if (performance.now() - recordedMs < recordEveryMs) continue
    await record(deps, done.splice(0))
    recordedMs = performance.now()
  }
  await record(deps, done)
  return claims.length > 0
}

async function giveBack({ db, nowMs, stopping }: Deps, ended: Claim, left: Claim[]): Promise<void> {
  if (stopping.aborted) return release(db, [ended, ...left], nowMs())
  await Promise.all([postpone(db, ended, nowMs()), release(db, left, nowMs())])
}

/** Stores the worthwhile variants. On failure it removes them. */
async function makeForms({ blobs, stopping }: Deps, claim: Claim): Promise<EncodedForms> {
  const forms: EncodedForms = {}
  const { sha256, size, teamId } = claim
  try {
    // Brotli needn't try a file that gzip can't compress.
    for (const coding of ['gzip', 'br'] as const) {
      stopping.throwIfAborted()
      const source = verifyBytes({ sha256, size }, blobs.stream(claim.object))
      const maxBytes = Math.floor(size * maxRatio)
      const bytes = await compress(coding, source, { size, maxBytes, signal: stopping })
      if (!bytes) break
      const identity = { sha256: hash('sha256', bytes), size: bytes.length }
      forms[coding] = { object: await blobs.put(teamId, identity, single(bytes)), size: bytes.length }
    }
    return forms
  } catch (error) {
    // If this fails as well, the sweep finds them.
    await removeForms(blobs, forms).catch(() => {})
    throw error
  }
}

async function record({ db, blobs, nowMs }: Deps, encoded: Encoded[]): Promise<void> {
  // Past the lease it must not record objects that may have been swept.
  const inTime = encoded.filter(({ claim }) => nowMs() < claim.untilMs)
  const recorded = await recordForms(db, inTime)
  for (const { claim, forms } of inTime) if (recorded.has(claim.id)) blobs.recorded(objectsOf(forms))
  for (const { claim, forms } of encoded) if (!recorded.has(claim.id)) await removeForms(blobs, forms)
}

const objectsOf = (forms: EncodedForms) => Object.values(forms).map(({ object }) => object)

async function removeForms(store: BlobStore, forms: EncodedForms): Promise<void> {
  for (const object of objectsOf(forms)) await store.remove(object)
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
