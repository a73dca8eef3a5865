/**
 * Uploads from clients straight to the bucket, where the service stores no other bytes than those that were
 * signed.
 */
import type { BlobIdentity, BlobStore, DirectUpload } from '../blob-store.ts'
import type { S3Client } from './client.ts'
import { storesOnlySigned } from './probe-uploads.ts'
import { unsignedBody } from './sign.ts'

/** How a digest is signed, for the service to compare with the body. */
type Form = (sha256: string) => { headers: Record<string, string>; bodySha256: string }

/** As AWS documents it ("Checking object integrity"); R2, MinIO and Garage do the same. */
const checksum: Form = (sha256) => ({
  headers: { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') },
  bodySha256: unsignedBody,
})

/** Ceph ignores checksums, and compares this. */
const contentDigest: Form = (sha256) => ({
  headers: { 'x-amz-content-sha256': sha256 },
  bodySha256: sha256,
})

/** A service takes no larger object in one request. */
const maxBytes = 5 * 1024 ** 3

/** When a service couldn't be probed, it is probed again after this time. */
const retryMs = 60_000

/** The signer for keys below `prefix`. The service is probed at the first call, and then never again. */
export function createDirectUploads(client: S3Client, prefix: string): BlobStore['directUploads'] {
  let known: Promise<Form | undefined> | undefined
  let retryAtMs = 0

  function findForm(): Promise<Form | undefined> {
    if (known) return known
    if (performance.now() < retryAtMs) return Promise.resolve(undefined)
    known = probe(client).catch(() => {
      known = undefined
      retryAtMs = performance.now() + retryMs
      return undefined
    })
    return known
  }

  return async () => {
    const form = await findForm()
    if (!form) return undefined
    return (object, expected, validS) => {
      // Signed headers of an empty body leave room for other requests, such as to copy.
      if (expected.size === 0 || expected.size > maxBytes) return undefined
      return presign(client, form, { key: prefix + object, expected, validS })
    }
  }
}

async function probe(client: S3Client): Promise<Form | undefined> {
  for (const form of [checksum, contentDigest]) {
    const sign = (key: string, expected: BlobIdentity) => presign(client, form, { key, expected, validS: 60 })
    if (await storesOnlySigned(client, sign)) return form
  }
  return undefined
}

type Put = { key: string; expected: BlobIdentity; validS: number }

function presign(client: S3Client, form: Form, { key, expected, validS }: Put): DirectUpload {
  const { headers, bodySha256 } = form(expected.sha256)
  const signed = { ...headers, 'content-length': String(expected.size) }
  return { url: client.presignPut({ key, headers: signed, bodySha256, validS }), headers }
}
