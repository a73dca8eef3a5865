/**
 * A strict S3 service in memory: it checks signatures, digests and lengths, pages its lists, and fails on
 * request. Signatures are judged by the package aws4, independently of the client.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Address } from '../../../src/stores/blobs/s3/client.ts'
import { type Call, parseCall, Refusal } from './call.ts'
import { listBucket, listUploads } from './lists.ts'
import { checkSignature } from './signature.ts'

type StoredObject = { bytes: Buffer; etag: string; modifiedMs: number }
type PartUpload = { key: string; parts: Map<number, Buffer>; initiatedMs: number }

export type Bucket = { objects: Map<string, StoredObject>; uploads: Map<string, PartUpload> }

/** What goes wrong with a request. */
type Fault = {
  /** Refuses with this status, before the body is read. */
  status?: number
  /** Answers with this status and a page, as a portal in between would. */
  page?: number
  /** Never answers, nor reads the body. */
  hang?: true
  /** Does what is requested, and never answers. */
  silent?: true
  /** Closes the connection instead of an answer. */
  drop?: true
  /** Answers later. */
  delayMs?: number
  /** Reads each mebibyte of the body in so many milliseconds. */
  readMs?: number
  /** Closes the connection after so many bytes of the body. */
  cut?: number
  /** Sends so many bytes of the body as if that were all. */
  truncate?: number
  /** Sends a byte of the body at a time, with such pauses. */
  dripMs?: number
  /** Sends other bytes. */
  damage?: true
  /** Sends another document. */
  edit?: (text: string) => string
  /** Says that the request's time is wrong, and not which is right. */
  skew?: true
}

/** Of a request, which may be of a presigned URL. */
type FaultOf = (method: string, key: string, isPresigned: boolean) => Fault | undefined

type Manners = {
  /** Stores bodies whatever their digest, as some services do. */
  trustsBodies: boolean
  /**
   * Ignores checksums and takes headers that aren't signed, but compares presigned bodies with another
   * header.
   */
  isCeph: boolean
  /** Copies an object although the request has a body, which AWS and Ceph refuse. */
  copiesDespiteBody: boolean
  /** Answers a range with the whole object. */
  ignoresRanges: boolean
  /** Answers without ETags, as what isn't S3 does. */
  hasNoTags: boolean
  /** Answers uploads with this ETag, as what encrypts does, or what isn't S3. */
  tagsAs: string | undefined
  /** Says that objects were uploaded, and keeps none, or what this makes of them. */
  keeps: ((bytes: Buffer) => Buffer | undefined) | undefined
  /** Knows the checksums of objects. */
  hasChecksums: boolean
  /** How far the clock that dates responses, such as a proxy's, is ahead of that of the service. */
  datesAheadMs: number
}

export type S3Server = {
  address: S3Address
  bucket: Bucket
  /** `METHOD key` of each request so far. */
  requests: string[]
  /** Decides which requests fail. */
  fail(fault: FaultOf): void
  /** How it differs from AWS. */
  manners: Manners
  /** Sets how far the service's clock is ahead. */
  setAhead(ms: number): void
  close(): Promise<void>
}

const credentials = { accessKeyId: 'TESTKEY', secretAccessKey: 'a secret/with+signs' }
const region = 'test-1'
const bucketName = 'blobs'
const minPartBytes = 5 * 1024 * 1024

/** Starts one with an empty bucket on a free port. */
export async function startS3(): Promise<S3Server> {
  const bucket: Bucket = { objects: new Map(), uploads: new Map() }
  const requests: string[] = []
  let faultOf: FaultOf = () => undefined
  let aheadMs = 0
  const manners: Manners = {
    trustsBodies: false,
    isCeph: false,
    copiesDespiteBody: false,
    ignoresRanges: false,
    hasNoTags: false,
    tagsAs: undefined,
    keeps: undefined,
    hasChecksums: false,
    datesAheadMs: 0,
  }
  const now = () => Date.now() + aheadMs

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.setHeader('date', new Date(now() + manners.datesAheadMs).toUTCString())
    try {
      const call = parseCall(req, bucketName)
      requests.push(`${call.method} ${call.key}`)
      const fault = faultOf(call.method, call.key, call.query.has('X-Amz-Signature')) ?? {}
      if (fault.hang) return
      if (fault.drop) {
        res.destroy()
        return
      }
      if (fault.page) {
        await buffer(req)
        res.writeHead(fault.page, { 'content-type': 'text/html; charset=utf-8', etag: '"a-page"' })
        res.end(req.method === 'HEAD' ? undefined : '<!doctype html><title>Welcome</title>')
        return
      }
      if (fault.delayMs) await sleep(fault.delayMs)
      if (fault.skew) {
        res.removeHeader('date')
        res.sendDate = false
        throw new Refusal(403, 'RequestTimeTooSkewed')
      }
      if (fault.status) throw new Refusal(fault.status, fault.status === 503 ? 'SlowDown' : 'InternalError')
      const { headers: { etag, ...others } = {}, ...rest } = await judge(req, call, fault)
      const reply = { ...rest, headers: etag && !manners.hasNoTags ? { ...others, etag } : others }
      if (!fault.silent) await send(res, call.method === 'HEAD', reply, fault)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const text = `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>refused</Message></Error>`
      res.writeHead(error.status, { 'content-type': 'application/xml' })
      res.end(req.method === 'HEAD' ? undefined : text)
    }
  }

  async function judge(req: IncomingMessage, call: Call, { readMs }: Fault): Promise<Reply> {
    checkSignature(req, { credentials, region, nowMs: now(), isCeph: manners.isCeph })
    const body = await readBody(req, readMs)
    if (!manners.trustsBodies) checkDigests(req, body, manners)
    if (call.copySource !== undefined && body.length > 0 && !manners.copiesDespiteBody)
      throw new Refusal(501, 'NotImplemented')
    const range = manners.ignoresRanges ? undefined : call.range
    const reply = perform(bucket, { ...call, range }, body, now())
    return call.method === 'PUT' ? misstate(call.key, reply) : addChecksum(req, call, reply)
  }

  /** The reply to an upload that may not have been kept. */
  function misstate(key: string, reply: Reply): Reply {
    const { keeps = (bytes) => bytes, tagsAs } = manners
    const made = bucket.objects.get(key)
    const kept = made && keeps(made.bytes)
    if (kept) bucket.objects.set(key, { ...made, bytes: kept })
    else bucket.objects.delete(key)
    return tagsAs === undefined ? reply : { ...reply, headers: { ...reply.headers, etag: tagsAs } }
  }

  function addChecksum(req: IncomingMessage, { key }: Call, reply: Reply): Reply {
    const bytes = bucket.objects.get(key)?.bytes
    if (!manners.hasChecksums || !bytes || req.headers['x-amz-checksum-mode'] !== 'ENABLED') return reply
    const sum = createHash('sha256').update(bytes).digest('base64')
    return { ...reply, headers: { ...reply.headers, 'x-amz-checksum-sha256': sum } }
  }

  const server = createServer((req, res) => {
    // A client that goes away in the middle of its body leaves nothing.
    respond(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: {
      endpoint: new URL(`http://127.0.0.1:${port}`),
      region,
      bucket: bucketName,
      prefix: '',
      isPathStyle: true,
      credentials,
    },
    bucket,
    requests,
    fail(fault) {
      faultOf = fault
    },
    manners,
    setAhead(ms) {
      aheadMs = ms
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @throws Refusal unless the length of the body is declared. */
async function readBody(req: IncomingMessage, msPerMebibyte = 0): Promise<Buffer> {
  const hasBody = req.method === 'PUT' || req.method === 'POST'
  if (hasBody && req.headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength')
  if (msPerMebibyte === 0) return buffer(req)
  const chunks: Buffer[] = []
  for await (const chunk of req) {
    chunks.push(chunk)
    await sleep((chunk.length / 1024 / 1024) * msPerMebibyte)
  }
  return Buffer.concat(chunks)
}

/** @throws Refusal unless the body has the digests in its headers. */
function checkDigests({ headers }: IncomingMessage, body: Buffer, { isCeph }: Manners): void {
  const digest = createHash('sha256').update(body).digest()
  const declared = headers['x-amz-content-sha256']
  if (declared !== undefined && declared !== digest.toString('hex'))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  const checksum = headers['x-amz-checksum-sha256']
  if (!isCeph && checksum !== undefined && checksum !== digest.toString('base64'))
    throw new Refusal(400, 'BadDigest')
}

async function send(
  res: ServerResponse,
  isHead: boolean,
  { status = 200, headers, body }: Reply,
  fault: Fault,
): Promise<void> {
  const bytes = isHead ? body : spoil(body, fault)
  const { cut = bytes.length, dripMs } = fault
  res.writeHead(status, { ...headers, 'content-length': bytes.length })
  if (isHead) res.end()
  else if (cut < bytes.length) res.write(bytes.subarray(0, cut), () => setTimeout(() => res.destroy(), 20))
  else if (dripMs === undefined) res.end(bytes)
  else {
    for (let at = 0; at < bytes.length && !res.destroyed; at += 1) {
      res.write(bytes.subarray(at, at + 1))
      await sleep(dripMs)
    }
    res.end()
  }
}

function spoil(body: Buffer, { damage, edit, truncate }: Fault): Buffer {
  if (damage) return Buffer.from(body.map((byte) => byte ^ 1))
  if (edit) return Buffer.from(edit(body.toString()))
  return body.subarray(0, truncate)
}

type Reply = { status?: number; headers?: Record<string, string>; body: Buffer }

const empty = Buffer.alloc(0)

function perform(bucket: Bucket, call: Call, body: Buffer, nowMs: number): Reply {
  const { method, key, query } = call
  if (key === '') {
    if (method !== 'GET') throw new Refusal(405, 'MethodNotAllowed')
    const text = query.has('uploads') ? listUploads(bucket, query) : listBucket(bucket, query)
    return { body: Buffer.from(text) }
  }
  if (query.has('uploads') || query.has('uploadId')) return performUpload(bucket, call, body, nowMs)
  if (method === 'PUT') return put(bucket, call, body, nowMs)
  if (method === 'DELETE') {
    bucket.objects.delete(key)
    return { status: 204, body: empty }
  }
  return get(bucket, call)
}

function get({ objects }: Bucket, { key, range }: Call): Reply {
  const found = objects.get(key)
  if (!found) throw new Refusal(404, 'NoSuchKey')
  const headers = { etag: found.etag, 'last-modified': new Date(found.modifiedMs).toUTCString() }
  if (!range) return { headers, body: found.bytes }
  if (range.start >= found.bytes.length) throw new Refusal(416, 'InvalidRange')
  const body = found.bytes.subarray(range.start, range.end + 1)
  const contentRange = `bytes ${range.start}-${range.start + body.length - 1}/${found.bytes.length}`
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body }
}

function put({ objects }: Bucket, { key, copySource }: Call, body: Buffer, nowMs: number): Reply {
  if (copySource === undefined) {
    const object = stored(body, nowMs)
    objects.set(key, object)
    return { headers: { etag: object.etag }, body: empty }
  }
  const source = objects.get(copySource.replace(`/${bucketName}/`, ''))
  if (!source) throw new Refusal(404, 'NoSuchKey')
  const object = stored(source.bytes, nowMs)
  objects.set(key, object)
  const text = `<CopyObjectResult><ETag>&quot;${object.etag.slice(1, -1)}&quot;</ETag></CopyObjectResult>`
  return { body: Buffer.from(text) }
}

function performUpload(bucket: Bucket, { method, key, query }: Call, body: Buffer, nowMs: number): Reply {
  if (method === 'POST' && query.has('uploads')) {
    const id = randomBytes(8).toString('hex')
    bucket.uploads.set(id, { key, parts: new Map(), initiatedMs: nowMs })
    const text = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
    return { body: Buffer.from(text) }
  }
  const id = query.get('uploadId') ?? ''
  const upload = bucket.uploads.get(id)
  if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload')
  if (method === 'DELETE') {
    bucket.uploads.delete(id)
    return { status: 204, body: empty }
  }
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { headers: { etag: etagOf(body) }, body: empty }
  }
  const object = stored(assemble(upload, body.toString()), nowMs)
  bucket.objects.set(key, object)
  bucket.uploads.delete(id)
  const text = `<CompleteMultipartUploadResult><ETag>${object.etag}</ETag></CompleteMultipartUploadResult>`
  return { body: Buffer.from(text) }
}

/** @throws Refusal unless the parts are those that were uploaded, in their order, and large enough. */
function assemble({ parts }: PartUpload, document: string): Buffer {
  const listed = [...document.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag><\/Part>/g)]
  const bodies = listed.map(([, number, etag], index) => {
    const part = parts.get(Number(number))
    if (!part || etagOf(part) !== etag) throw new Refusal(400, 'InvalidPart')
    if (Number(number) !== index + 1) throw new Refusal(400, 'InvalidPartOrder')
    if (part.length < minPartBytes && index < listed.length - 1) throw new Refusal(400, 'EntityTooSmall')
    return part
  })
  if (bodies.length === 0) throw new Refusal(400, 'MalformedXML')
  return Buffer.concat(bodies)
}

function stored(bytes: Buffer, nowMs: number): StoredObject {
  return { bytes, etag: etagOf(bytes), modifiedMs: nowMs }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}
