/** Finds out, by trying, whether a presigned upload stores the signed bytes or nothing. */
import { hash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { BlobIdentity, DirectUpload } from '../blob-store.ts'
import { storeUnavailable } from '../unavailable.ts'
import type { S3Client } from './client.ts'
import { deleteObject, encodeSource, newProbeKey } from './objects.ts'

/** The upload of an object, signed in the way to be tried. */
type Sign = (key: string, expected: BlobIdentity) => DirectUpload

type Attempt = { key: string; signed: Buffer; body: Buffer; headers: Record<string, string> }

const probeBytes = 64
const timeoutMs = 10_000

/**
 * Uploads small objects as a client might: the signed bytes, which have to be stored, and others in all ways
 * that could pass, of which none may be.
 * @throws AppError `store_unavailable` when the service fails.
 */
export async function storesOnlySigned(client: S3Client, sign: Sign): Promise<boolean> {
  const [first, signed, other] = [randomBytes(probeBytes), randomBytes(probeBytes), randomBytes(probeBytes)]
  const right = attempt(first, first)
  const wrong = [
    attempt(signed, other),
    attempt(signed, other, sign('', identityOf(other)).headers),
    attempt(signed, Buffer.concat([signed, other])),
    attempt(signed, signed.subarray(0, probeBytes / 2)),
    // Copies another object, unless headers that weren't signed are refused.
    attempt(signed, signed, { 'x-amz-copy-source': encodeSource(client, right.key) }),
  ]
  try {
    if ((await outcomeOf(client, sign, right)) !== 'signed') return false
    const outcomes = await Promise.all(wrong.map((each) => outcomeOf(client, sign, each)))
    return !outcomes.includes('other')
  } finally {
    await Promise.allSettled([right, ...wrong].map(({ key }) => deleteObject(client, key)))
  }
}

function attempt(signed: Buffer, body: Buffer, headers: Record<string, string> = {}): Attempt {
  return { key: newProbeKey(), signed, body, headers }
}

/** The object after the upload. */
async function outcomeOf(
  client: S3Client,
  sign: Sign,
  { key, signed, body, headers }: Attempt,
): Promise<'signed' | 'other' | 'nothing'> {
  const upload = sign(key, identityOf(signed))
  await send({ url: upload.url, headers: { ...upload.headers, ...headers } }, body)
  const found = await client.requestIfAny({ method: 'GET', key })
  if (found === undefined) return 'nothing'
  return (await buffer(found.bytes())).equals(signed) ? 'signed' : 'other'
}

/** Any refusal will do. */
async function send({ url, headers }: DirectUpload, body: Buffer): Promise<void> {
  const init = { method: 'PUT', headers, body, signal: AbortSignal.timeout(timeoutMs) }
  const response = await fetch(url, init).catch((error: unknown) => {
    throw storeUnavailable(error)
  })
  await response.arrayBuffer()
  // A service without such uploads refuses them with 501.
  if (response.status === 429 || (response.status >= 500 && response.status !== 501))
    throw storeUnavailable(new Error(`A presigned upload was answered ${response.status}.`))
}

function identityOf(bytes: Buffer): BlobIdentity {
  return { sha256: hash('sha256', bytes), size: bytes.length }
}
