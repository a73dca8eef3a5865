/** Objects in a bucket: listed page by page, copied, deleted. */
import { randomBytes } from 'node:crypto'
import { storeUnavailable } from '../unavailable.ts'
import type { S3Client, S3Response } from './client.ts'
import { encodePath } from './sign.ts'
import { readXml, type Xml } from './xml.ts'

export type ListedObject = { key: string; size: number; modifiedMs: number }

const perPage = 1_000

/**
 * The objects whose keys begin with `prefix` and are greater than `after`, by key, in pages of up to 1,000.
 */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  after?: string,
): AsyncGenerator<ListedObject[]> {
  const start = after === undefined ? {} : { 'start-after': client.prefix + after }
  for await (const { page, strip } of pages(client, { prefix: client.prefix + prefix, ...start })) {
    yield page.all('Contents').map((found) => ({
      key: strip(found.text('Key')),
      size: Number(found.text('Size')),
      modifiedMs: Date.parse(found.text('LastModified') ?? ''),
    }))
  }
}

/** The names directly below `prefix` that have objects below them, such as directories have. */
export async function listNames(client: S3Client, prefix: string): Promise<string[]> {
  const names: string[] = []
  for await (const { page, strip } of pages(client, { prefix: client.prefix + prefix, delimiter: '/' })) {
    names.push(
      ...page.all('CommonPrefixes').map((found) => strip(found.text('Prefix')).slice(prefix.length, -1)),
    )
  }
  return names
}

/** Whether any key begins with `prefix`. */
export async function hasObjects(client: S3Client, prefix: string): Promise<boolean> {
  for await (const { page } of pages(client, { prefix: client.prefix + prefix, 'max-keys': '1' }))
    return page.all('Contents').length > 0
  return false
}

/** Copies an object within the bucket, of up to 5 GiB; false if it doesn't exist. */
export async function copyObject(client: S3Client, from: string, to: string): Promise<boolean> {
  const headers = { 'x-amz-copy-source': encodeSource(client, from) }
  const response = await client.requestIfAny({ method: 'PUT', key: to, headers })
  if (response === undefined) return false
  // A failure may come after the head of the response.
  if (readXml(await response.text())?.text('ETag') === undefined) throw invalidResponse('copying an object')
  return true
}

/** An object as the source of a copy. */
export function encodeSource(client: S3Client, key: string): string {
  return encodePath(`/${client.bucket}/${client.prefix}${key}`)
}

/** A key for an object that is deleted at once, written to learn something of the service. */
export function newProbeKey(): string {
  return `probes/${randomBytes(16).toString('hex')}`
}

/** Deletes an object; a missing one is fine. */
export async function deleteObject(client: S3Client, key: string): Promise<void> {
  await (await client.requestIfAny({ method: 'DELETE', key }))?.text()
}

export type FoundObject = {
  size: number
  /** Its SHA-256 in Base64, where that is requested and known, of parts with their number; else empty. */
  checksum: string
  /** By the service's clock, in whole seconds. */
  modifiedMs: number
}

/** Resolves to what the service knows of the object, as of now; to undefined if it doesn't exist. */
export async function findObject(
  client: S3Client,
  key: string,
  headers: Record<string, string> = {},
): Promise<FoundObject | undefined> {
  const response = await client.requestIfAny({ method: 'HEAD', key, headers })
  if (response === undefined) return undefined
  await expectStored(response, 'looking for an object')
  return {
    size: Number(response.header('content-length')),
    checksum: response.header('x-amz-checksum-sha256'),
    modifiedMs: Date.parse(response.header('last-modified')),
  }
}

/** Stores a small object. */
export async function putObject(client: S3Client, key: string, bytes: Buffer): Promise<void> {
  await expectStored(await client.request({ method: 'PUT', key, body: bytes }), 'storing an object')
}

/**
 * Consumes the response to a request about an object, and returns its ETag, whatever that is derived from.
 * @throws AppError `store_unavailable` without one, or with a page: then something else than an S3 service
 * answered.
 */
export async function expectStored(response: S3Response, what: string): Promise<string> {
  await response.text()
  const etag = response.header('etag')
  const isPage = /^text\/html\b/i.test(response.header('content-type'))
  if (unquoted(etag) !== '' && !isPage) return etag
  throw storeUnavailable(new Error(`The response to ${what} is not that of an S3 service: it has no ETag.`))
}

/** The identifier in an ETag, without its quotes and the mark of a weak one. */
export function unquoted(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
    .trim()
}

/** The error for a response that is none to such a request. */
export function invalidResponse(what: string): Error {
  return storeUnavailable(new Error(`The service's response to ${what} is invalid.`))
}

type Page = { page: Xml; strip: (key: string | undefined) => string }

/** The pages of ListObjectsV2. @throws AppError `store_unavailable` for one that isn't whole. */
async function* pages(client: S3Client, query: Record<string, string>): AsyncGenerator<Page> {
  const strip = (key = '') => decodeURIComponent(key.replaceAll('+', ' ')).slice(client.prefix.length)
  let token: string | undefined
  do {
    const response = await client.request({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        'max-keys': String(perPage),
        ...query,
        ...(token !== undefined && { 'continuation-token': token }),
      },
    })
    const page = readXml(await response.text())
    const isTruncated = page?.text('IsTruncated')
    if (page === undefined || isTruncated === undefined) throw invalidResponse('listing objects')
    yield { page, strip }
    const last = token
    token = isTruncated === 'true' ? page.text('NextContinuationToken') : undefined
    if (isTruncated === 'true' && (token === undefined || token === last))
      throw invalidResponse('listing more objects')
  } while (token !== undefined)
}
