/** AWS Signature Version 4 for S3 (AWS documentation, "Signature Version 4 signing process"). */
import { createHash, createHmac } from 'node:crypto'

export type S3Credentials = {
  accessKeyId: string
  secretAccessKey: string
  /** The token of temporary credentials. */
  sessionToken?: string | undefined
}

type UnsignedRequest = {
  method: string
  /** The host with its port, unless that is the scheme's own. */
  host: string
  /** The encoded path. */
  path: string
  /** Neither encoded nor sorted. */
  query: Record<string, string>
  /** Names in lower case. */
  headers: Record<string, string>
  /** SHA-256 of the body in lower-case hex, or `unsignedBody`. */
  bodySha256: string
}

export type Signer = {
  /** The request's headers, completed by those of the signature at `nowMs`. Covers the host and `x-amz-*`. */
  sign(request: UnsignedRequest, nowMs: number): Record<string, string>
  /**
   * The request's query, completed by the signature at `nowMs`, which is valid for `validS` seconds. Covers
   * the host and all `headers`, which have to be sent as they are here.
   */
  presign(request: UnsignedRequest, time: { nowMs: number; validS: number }): Record<string, string>
}

/** The SHA-256 of an empty body. */
export const emptySha256 = createHash('sha256').digest('hex')

/** In place of the digest of a body that the signature does not cover. */
export const unsignedBody = 'UNSIGNED-PAYLOAD'

const algorithm = 'AWS4-HMAC-SHA256'

/** Signs with `credentials` for one region. The key of a day is derived once. */
export function createSigner(credentials: S3Credentials, region: string): Signer {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  let known: { day: string; key: Buffer } = { day: '', key: Buffer.alloc(0) }

  function keyOf(day: string): Buffer {
    if (known.day !== day) {
      const parts = [day, region, 's3', 'aws4_request']
      const secret: Buffer = Buffer.from(`AWS4${secretAccessKey}`)
      known = { day, key: parts.reduce((key, part) => hmac(key, part), secret) }
    }
    return known.key
  }

  const scopeOf = (time: string) => `${time.slice(0, 8)}/${region}/s3/aws4_request`

  /** The signature of a request with exactly the headers to sign. */
  function signatureOf(request: UnsignedRequest, time: string): string {
    const names = namesOf(request.headers)
    const canonical = [
      request.method,
      request.path,
      queryText(request.query),
      ...names.map((name) => `${name}:${request.headers[name]?.trim()}`),
      '',
      names.join(';'),
      request.bodySha256,
    ].join('\n')
    const digest = createHash('sha256').update(canonical).digest('hex')
    return hmac(keyOf(time.slice(0, 8)), `${algorithm}\n${time}\n${scopeOf(time)}\n${digest}`).toString('hex')
  }

  return {
    sign(request, nowMs) {
      const time = timeText(nowMs)
      const headers: Record<string, string> = {
        ...request.headers,
        host: request.host,
        'x-amz-content-sha256': request.bodySha256,
        'x-amz-date': time,
        ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      }
      const isSigned = ([name]: [string, string]) => name === 'host' || name.startsWith('x-amz-')
      const signed = Object.fromEntries(Object.entries(headers).filter(isSigned))
      const signature = signatureOf({ ...request, headers: signed }, time)
      const credential = `Credential=${accessKeyId}/${scopeOf(time)}`
      const names = namesOf(signed).join(';')
      headers.authorization = `${algorithm} ${credential}, SignedHeaders=${names}, Signature=${signature}`
      return headers
    },

    presign(request, { nowMs, validS }) {
      const time = timeText(nowMs)
      const headers = { ...request.headers, host: request.host }
      const query = {
        ...request.query,
        'X-Amz-Algorithm': algorithm,
        'X-Amz-Credential': `${accessKeyId}/${scopeOf(time)}`,
        'X-Amz-Date': time,
        'X-Amz-Expires': String(validS),
        'X-Amz-SignedHeaders': namesOf(headers).join(';'),
        ...(sessionToken && { 'X-Amz-Security-Token': sessionToken }),
      }
      return { ...query, 'X-Amz-Signature': signatureOf({ ...request, query, headers }, time) }
    },
  }
}

function namesOf(headers: Record<string, string>): string[] {
  return Object.keys(headers).toSorted()
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** The query in its canonical form, without the question mark. */
export function queryText(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`)
    .sort()
    .join('&')
}

/** The path of a key in its canonical form. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeText).join('/')
}

/** Percent-encodes all but RFC 3986's unreserved characters. */
function encodeText(text: string): string {
  const encodeLeft = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, encodeLeft)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
