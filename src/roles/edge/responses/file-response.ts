/** Decides the complete response for a file, before any byte of it is read. */

import { checkPreconditions, rangeApplies } from '../wire/conditions.ts'
import { type ByteRange, parseRanges } from '../wire/parse-ranges.ts'
import type { RequestHead } from '../wire/request-head.ts'
import { type Asset, entityHeaders } from './file-headers.ts'
import { cacheControl, type Piece, type SiteResponse, type Visibility } from './response.ts'

/**
 * The response for this variant of a file: 200, 206 (RFC 9110, section 15.3.7), 304, 412 or 416. Only `GET`
 * supports ranges (section 14.2). A compressed variant gets one part at most: several would have to be
 * encoded as one message.
 */
export function fileResponse(
  asset: Asset,
  visibility: Visibility,
  method: string,
  head: RequestHead,
): SiteResponse {
  const status = checkPreconditions(head, asset.etag)
  if (status === 304) return { status, headers: asset.shared[visibility], body: [] }
  if (status === 412) return refuseWith(status, asset, visibility)
  const whole = asset.whole[visibility]
  if (method !== 'GET' || head.range === undefined || !rangeApplies(head.ifRange, asset.etag)) return whole
  const ranges = parseRanges(head.range, asset.size)
  if (ranges === undefined || (ranges.length > 1 && asset.coding)) return whole
  const [first, ...others] = ranges
  if (first === undefined) return refuseWith(416, asset, visibility, 'Content-Range', `bytes */${asset.size}`)
  return others.length === 0 ? onePart(asset, visibility, first) : manyParts(asset, visibility, ranges)
}

/** The deployment's own page for what isn't there: status 404, and nothing that would let a cache keep it. */
export function missingResponse(page: Asset, visibility: Visibility): SiteResponse {
  const headers = [
    'Content-Type',
    page.type,
    'X-Content-Type-Options',
    'nosniff',
    ...(page.coding ? ['Content-Encoding', page.coding] : []),
    'Content-Length',
    String(page.size),
    'Cache-Control',
    cacheControl[visibility],
    ...page.vary,
  ]
  return { status: 404, headers, body: page.whole[visibility].body }
}

function refuseWith(
  status: 412 | 416,
  { vary }: Asset,
  visibility: Visibility,
  ...more: string[]
): SiteResponse {
  const headers = ['Cache-Control', cacheControl[visibility], 'Content-Length', '0', ...vary, ...more]
  return { status, headers, body: [] }
}

function onePart(asset: Asset, visibility: Visibility, range: ByteRange): SiteResponse {
  const headers = [
    ...asset.entity,
    'Content-Range',
    contentRange(range, asset.size),
    'Content-Length',
    String(lengthOf(range)),
    ...asset.shared[visibility],
  ]
  return { status: 206, headers, body: [range] }
}

function manyParts(asset: Asset, visibility: Visibility, ranges: readonly ByteRange[]): SiteResponse {
  // No file contains (part of) its own digest, so this can't occur inside a part.
  const boundary = asset.sha256.slice(0, 32)
  const body: Piece[] = ranges.flatMap((range, index) => [
    `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${asset.type}\r\n` +
      `Content-Range: ${contentRange(range, asset.size)}\r\n\r\n`,
    range,
  ])
  body.push(`\r\n--${boundary}--\r\n`)
  const headers = [
    ...entityHeaders(`multipart/byteranges; boundary=${boundary}`),
    'Content-Length',
    String(body.reduce((total, piece) => total + lengthOf(piece), 0)),
    ...asset.shared[visibility],
  ]
  return { status: 206, headers, body }
}

function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end}/${size}`
}

function lengthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.end - piece.start + 1
}
