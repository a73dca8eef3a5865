/** Checks the signature of a request, computed anew by the package aws4. */
import type { IncomingMessage } from 'node:http'
import { RequestSigner, sign } from 'aws4'
import type { S3Credentials } from '../../../src/stores/blobs/s3/sign.ts'
import { Refusal } from './call.ts'

export type Expected = {
  credentials: S3Credentials
  region: string
  nowMs: number
  /** Ceph takes unsigned headers, and the digest that a presigned request has in its header. */
  isCeph: boolean
}

const maxSkewMs = 15 * 60_000

const unsignedBody = 'UNSIGNED-PAYLOAD'

const pattern =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/[^,]+, SignedHeaders=(?<names>[^,]+), Signature=[0-9a-f]{64}$/

/** @throws Refusal `AccessDenied`, `InvalidAccessKeyId`, `SignatureDoesNotMatch`, `RequestTimeTooSkewed`. */
export function checkSignature(req: IncomingMessage, expected: Expected): void {
  const { searchParams } = new URL(req.url ?? '/', 'http://s3')
  if (searchParams.has('X-Amz-Signature')) checkPresigned(req, searchParams, expected)
  else checkHeaders(req, expected)
}

function checkHeaders(req: IncomingMessage, expected: Expected): void {
  const { credentials, region, nowMs } = expected
  const { authorization = '' } = req.headers
  const { key, names = '' } = pattern.exec(authorization)?.groups ?? {}
  if (key === undefined) throw new Refusal(403, 'AccessDenied')
  if (req.headers['x-amz-content-sha256'] === undefined) throw new Refusal(400, 'InvalidRequest')
  const headers = signedHeaders(req, names, expected)
  checkKey(key, expected)
  const again = sign({ ...requestOf(req), region, headers }, keysOf(credentials))
  if (again.headers?.Authorization !== authorization) throw new Refusal(403, 'SignatureDoesNotMatch')
  const time = parseTime(String(headers['x-amz-date']))
  if (!(Math.abs(time - nowMs) <= maxSkewMs)) throw new Refusal(403, 'RequestTimeTooSkewed')
}

function checkPresigned(req: IncomingMessage, query: URLSearchParams, expected: Expected): void {
  const { credentials, region, nowMs, isCeph } = expected
  const text = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  checkKey(text('Credential').split('/')[0] ?? '', expected)
  const headers = signedHeaders(req, text('SignedHeaders'), expected)
  const unsigned = new URLSearchParams(query)
  unsigned.delete('X-Amz-Signature')
  const { pathname } = new URL(req.url ?? '/', 'http://s3')
  const path = `${pathname}?${unsigned}`
  const signer = new RequestSigner(
    { ...requestOf(req), path, region, headers, signQuery: true },
    keysOf(credentials),
  )
  const digest = isCeph ? req.headers['x-amz-content-sha256'] : undefined
  const canonical = signer
    .canonicalString()
    .replace(new RegExp(`${unsignedBody}$`), String(digest ?? unsignedBody))
  signer.canonicalString = () => canonical
  if (signer.signature() !== text('Signature')) throw new Refusal(403, 'SignatureDoesNotMatch')
  const signedMs = parseTime(text('Date'))
  const isEarly = nowMs < signedMs - maxSkewMs
  if (isEarly || nowMs > signedMs + Number(text('Expires')) * 1_000) throw new Refusal(403, 'AccessDenied')
}

function checkKey(key: string, { credentials }: Expected): void {
  if (key !== credentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId')
}

/** @throws Refusal `AccessDenied` when headers that have to be signed are not. */
function signedHeaders(req: IncomingMessage, names: string, { isCeph }: Expected): Record<string, string> {
  const signed = names.split(';')
  const amazons = isCeph ? [] : Object.keys(req.headers).filter((name) => name.startsWith('x-amz-'))
  if (['host', ...amazons].some((name) => !signed.includes(name))) throw new Refusal(403, 'AccessDenied')
  return Object.fromEntries(signed.map((name) => [name, String(req.headers[name] ?? '')]))
}

function requestOf(req: IncomingMessage) {
  return { service: 's3', method: req.method ?? '', path: req.url ?? '', host: req.headers.host ?? '' }
}

function keysOf({ accessKeyId, secretAccessKey }: S3Credentials) {
  return { accessKeyId, secretAccessKey }
}

/** A time such as `20260131T120000Z`, in Unix milliseconds. */
function parseTime(text: string): number {
  return Date.parse(text.replace(/^(.{4})(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'))
}
