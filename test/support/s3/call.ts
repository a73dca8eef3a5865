/** A request to the S3 service of the tests. */
import type { IncomingMessage } from 'node:http'

export type Call = {
  method: string
  /** Empty for the bucket itself. */
  key: string
  query: URLSearchParams
  range: { start: number; end: number } | undefined
  copySource: string | undefined
}

/** A status with an error code of S3. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Parses a request with the bucket in its path. @throws Refusal for another bucket. */
export function parseCall(req: IncomingMessage, bucket: string): Call {
  const url = new URL(req.url ?? '/', 'http://s3')
  const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/')
  if (name !== bucket) throw new Refusal(404, 'NoSuchBucket')
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? []
  const source = req.headers['x-amz-copy-source']
  return {
    method: req.method ?? 'GET',
    key: rest.join('/'),
    query: url.searchParams,
    range:
      start === undefined
        ? undefined
        : { start: Number(start), end: end === '' ? Number.POSITIVE_INFINITY : Number(end) },
    copySource: source === undefined ? undefined : decodeURIComponent(String(source)),
  }
}
