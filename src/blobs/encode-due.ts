/** Makes the compressed forms of blobs, one blob at a time, and records them a few at a time. */
import { hash } from 'node:crypto'
import type { Database } from '../db/open.ts'
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
  /** Ends the work early; what wasn't done is then free for whoever asks next. */
  stopping: AbortSignal
}

const blobsPerRound = 32

/** What is done doesn't wait for the rest of the round much longer than this. */
const recordEveryMs = 250

/** A form must save a tenth of the bytes to be worth keeping. */
const maxRatio = 0.9

/**
 * Stores the forms of up to 32 blobs that wait for them. A form is recorded only once it is durable; what a death
 * leaves unrecorded is swept as a stray object and made again. Returns whether there may be more.
 * @throws when a blob's forms can't be made for now; the others of the round are then left to the next.
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

/** The forms that are worth having, stored. When it fails nothing of them is left. */
async function makeForms({ blobs, stopping }: Deps, claim: Claim): Promise<EncodedForms> {
  const forms: EncodedForms = {}
  const { sha256, size, teamId } = claim
  try {
    // What gzip can't make smaller, brotli needn't try.
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
    // Should this fail as well, the sweep finds them.
    await removeForms(blobs, forms).catch(() => {})
    throw error
  }
}

async function record({ db, blobs, nowMs }: Deps, encoded: Encoded[]): Promise<void> {
  // Who comes too late must not name objects that may have been swept meanwhile.
  const inTime = encoded.filter(({ claim }) => nowMs() < claim.untilMs)
  const recorded = await recordForms(db, inTime)
  for (const { claim, forms } of encoded) if (!recorded.has(claim.id)) await removeForms(blobs, forms)
}

async function removeForms(store: BlobStore, forms: EncodedForms): Promise<void> {
  for (const { object } of Object.values(forms)) await store.remove(object)
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
