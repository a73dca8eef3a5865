/** Requests to one bucket of an S3 service: signed, bounded in time, repeated where that is safe. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { storeUnavailable } from '../unavailable.ts'
import { keepComing, slicesOf } from './paced.ts'
import { isMissing, mayPass, readFailure, S3Error } from './s3-failure.ts'
import { createSigner, emptySha256, encodePath, queryText, type S3Credentials } from './sign.ts'

export type S3Address = {
  /** The service, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: URL
  region: string
  bucket: string
  /** Begins every key: empty, or ends with a slash. */
  prefix: string
  /** Whether the bucket is in the path instead of the host name. */
  isPathStyle: boolean
  credentials: S3Credentials
}

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the address's prefix; without one, the bucket itself. */
  key?: string
  query?: Record<string, string>
  /** Names in lower case. */
  headers?: Record<string, string>
  body?: Buffer | Streamed
}

/** A body that can be sent only once. */
type Streamed = { source: AsyncIterable<Uint8Array>; size: number; sha256: string }

export type S3Response = {
  /** A header by its name in lower case; empty without it. */
  header(name: string): string
  /** The body, which must be consumed. Rejects with AppError `store_unavailable`. */
  bytes(): AsyncGenerator<Buffer>
  text(): Promise<string>
}

export type S3Client = {
  /**
   * The response. What can be repeated is sent up to three times.
   * @throws AppError `store_unavailable`; what the source of the body throws.
   */
  request(request: S3Request): Promise<S3Response>
  /** The same, or undefined where the object doesn't exist. */
  requestIfAny(request: S3Request): Promise<S3Response | undefined>
  /**
   * The URL of a PUT of this key by somebody else, valid for `validS` seconds. `headers` have to be sent as
   * they are here; `bodySha256` is the body's digest, or `unsignedBody`.
   */
  presignPut(put: PresignedPut): string
  /** How far the service's clock is ahead of this one's, in milliseconds, by its last response. */
  aheadMs(): number
  readonly bucket: string
  readonly prefix: string
  close(): Promise<void>
}

type PresignedPut = {
  key: string
  headers: Record<string, string>
  bodySha256: string
  validS: number
}

/** The error of a body's source, which is no error of the service. */
class SourceError extends Error {}

/** Enough for a deployment's files, few enough for any service. */
const connections = 64

const connectTimeoutMs = 3_000

/** The limit of a silence: before the response's head, and between two pieces of its body. */
const defaultSilenceMs = 7_000

const attempts = 3
const firstPauseMs = 100

/** Larger bodies are sent in slices: otherwise a slow connection looks like a service that is silent. */
const maxAtOnceBytes = 256 * 1024

/**
 * By how much longer the service may be silent when such a body has been sent, since part of it is in buffers
 * still.
 */
const flushFactor = 3

/** Opens no connection before the first request. `silenceMs` is how long the service may be silent. */
export function createS3Client(address: S3Address, silenceMs = defaultSilenceMs): S3Client {
  const { endpoint, bucket, prefix, isPathStyle, region } = address
  const host = isPathStyle ? endpoint.host : `${bucket}.${endpoint.host}`
  const pool = new Pool(`${endpoint.protocol}//${host}`, {
    connections,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
  const { sign, presign } = createSigner(address.credentials, region)
  const base = `${endpoint.pathname.replace(/\/$/, '')}${isPathStyle ? `/${bucket}` : ''}`
  let aheadMs = 0

  const pathOf = (key: string | undefined) =>
    encodePath(key === undefined ? base || '/' : `${base}/${prefix}${key}`)

  async function send({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Response> {
    const path = pathOf(key)
    const bodySha256 = digestOf(body)
    const signed = sign({ method, host, path, query, headers, bodySha256 }, Date.now() + aheadMs)
    const text = queryText(query)
    const response = await pool.request({
      method,
      path: text === '' ? path : `${path}?${text}`,
      headers: { ...signed, ...lengthOf(method, body) },
      body: sendable(body),
      headersTimeout: sizeOf(body) > maxAtOnceBytes ? silenceMs * flushFactor : silenceMs,
    })
    const dateMs = Date.parse(String(response.headers.date))
    if (!Number.isNaN(dateMs)) noteClock(dateMs)
    if (response.statusCode < 300) return view(response, silenceMs)
    throw await readFailure(response)
  }

  /** The header has whole seconds. */
  function noteClock(dateMs: number): void {
    const seen = dateMs - Date.now()
    aheadMs = Math.abs(seen) < 2_000 ? 0 : seen
  }

  async function requestIfAny(wanted: S3Request): Promise<S3Response | undefined> {
    const canRepeat = wanted.body === undefined || Buffer.isBuffer(wanted.body)
    const startedMs = performance.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(wanted)
      } catch (error) {
        if (error instanceof SourceError) throw error.cause
        if (isMissing(error, wanted.method)) return undefined
        // Not after a silence: whoever waits should learn of it.
        const isLate = performance.now() - startedMs > silenceMs / 2
        if (attempt === attempts || isLate || !canRepeat || !mayPass(error)) throw storeUnavailable(error)
        await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
      }
    }
  }

  return {
    requestIfAny,
    async request(wanted) {
      const response = await requestIfAny(wanted)
      if (response === undefined) throw storeUnavailable(new S3Error(404, 'NoSuchKey', wanted.key ?? bucket))
      return response
    },
    presignPut({ key, headers, bodySha256, validS }) {
      const path = pathOf(key)
      const unsigned = { method: 'PUT', host, path, query: {}, headers, bodySha256 }
      const query = presign(unsigned, { nowMs: Date.now() + aheadMs, validS })
      return `${endpoint.protocol}//${host}${path}?${queryText(query)}`
    },
    aheadMs: () => aheadMs,
    bucket,
    prefix,
    close: () => pool.destroy(),
  }
}

function view({ headers, body }: Dispatcher.ResponseData, silenceMs: number): S3Response {
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      yield* keepComing(body, silenceMs)
    } catch (error) {
      throw storeUnavailable(error)
    }
  }
  return {
    header: (name) => String(headers[name] ?? ''),
    bytes,
    text: async () => (await buffer(bytes())).toString(),
  }
}

async function* marked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    throw new SourceError('The source of a body failed.', { cause: error })
  }
}

function digestOf(body: S3Request['body']): string {
  if (body === undefined) return emptySha256
  return Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('hex') : body.sha256
}

function sendable(body: S3Request['body']): Buffer | Readable | null {
  if (body === undefined) return null
  if (!Buffer.isBuffer(body)) return Readable.from(marked(body.source))
  return body.length > maxAtOnceBytes ? Readable.from(slicesOf(body)) : body
}

function sizeOf(body: S3Request['body']): number {
  if (body === undefined) return 0
  return Buffer.isBuffer(body) ? body.length : body.size
}

function lengthOf(method: string, body: S3Request['body']): Record<string, string> {
  const hasLength = body !== undefined || method === 'PUT' || method === 'POST'
  return hasLength ? { 'content-length': String(sizeOf(body)) } : {}
}
