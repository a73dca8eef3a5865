/** Sends a decided response: small files from memory at once, large ones as streams. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isGone, peerOf } from '../../../lib/net/unread/peer.ts'
import type { BlobStore } from '../../../stores/blobs/blob-store.ts'
import { createChunkSize } from '../../../stores/blobs/chunks.ts'
import { readLazily } from '../../../stores/blobs/read-lazily.ts'
import { createSizedCache } from '../../../stores/cache/sized-cache.ts'
import type { Sending } from '../observed-exchange.ts'
import type { ByteRange } from '../wire/parse-ranges.ts'
import type { ManifestFile } from './file-headers.ts'
import { createLargeFiles, type LargeFiles, largeFileMemoryBytes } from './large-files.ts'
import { pump } from './pump.ts'
import type { Piece, SiteResponse } from './response.ts'

/**
 * Sends `answer`, which is about `file`, and counts the bytes of its body. Returns a promise if bytes have to
 * be read; it rejects if that fails.
 */
export type Deliver = (
  sending: Sending,
  answer: SiteResponse,
  file: ManifestFile,
) => Promise<void> | undefined

const maxSmallBytes = 256 * 1024

/** Over HTTP/2 more is sent in pieces, of which a slow client is seen to read each. */
const maxAtOnceBytes = 16 * 1024
const maxMemoryBytes = 64 * 1024 * 1024

type Source = Pick<LargeFiles, 'stream' | 'sent'>

/** A client that reads nothing for this long over HTTP/1.1 is disconnected. */
const stalledMs = 120_000

/** Delivers from `blobs`, with memory caches that are this process's `share` of what a node may use. */
export function createDeliver(blobs: BlobStore, share = 1): Deliver {
  const memory = createSizedCache<string, Buffer>((bytes) => bytes.length, Math.floor(maxMemoryBytes * share))
  const largeFiles = createLargeFiles(blobs, Math.floor(largeFileMemoryBytes * share))

  async function read({ object, size }: ManifestFile): Promise<Buffer> {
    const bytes = await blobs.read(object)
    if (bytes.length !== size) throw new Error('The length of a blob differs from its row.')
    return bytes
  }

  /** The bytes of a file that is kept in memory as a whole, and may be evicted between two chunks. */
  async function* smallBytes(file: ManifestFile, { start, end }: ByteRange): AsyncGenerator<Buffer> {
    const size = createChunkSize()
    for (let at = start; at <= end; ) {
      const bytes = await memory.get(file.object, () => read(file))
      const chunk = bytes.subarray(at, Math.min(end + 1, at + size.bytes()))
      at += chunk.length
      size.give()
      yield chunk
    }
  }
  const smallFiles: Source = {
    stream: (file, range) => readLazily(smallBytes(file, range)),
    sent() {},
  }

  /** Before its turn nothing is read for it, nor kept from being evicted. */
  async function sendLater(sending: Sending, answer: SiteResponse, file: ManifestFile): Promise<void> {
    const { res } = sending
    // Pipelined responses wait for those before them.
    if (res.socket === null && !isGone(res)) await once(res, 'socket')
    const peer = peerOf(res)
    await peer?.enter(res, file.size)
    try {
      const bytes = isGone(res) ? undefined : await memory.get(file.object, () => read(file))
      if (bytes) writeBytes(sending, answer, bytes)
    } finally {
      peer?.hold(res, -file.size)
    }
  }

  return (sending, answer, file) => {
    const { res } = sending
    if (res.req.method === 'HEAD' || answer.body.length === 0) return sendText(sending, answer)
    const bytes = memory.peek(file.object)
    sending.cache = bytes || largeFiles.has(file) ? 'memory' : 'blob'
    if (file.size > maxSmallBytes) return sendStream(sending, answer, file, largeFiles)
    const isHttp2 = res.req.httpVersionMajor === 2
    if (isHttp2 && file.size > maxAtOnceBytes) return sendStream(sending, answer, file, smallFiles)
    const mayWrite = bytes && (isHttp2 ? peerOf(res)?.hasRoom(res, file.size) !== false : res.socket !== null)
    return mayWrite ? writeBytes(sending, answer, bytes) : sendLater(sending, answer, file)
  }
}

/** Sends an answer that is about no file. */
export function sendText(sending: Sending, { status, headers, body }: SiteResponse): undefined {
  const { res } = sending
  res.writeHead(status, headers)
  const text = body.filter((piece) => typeof piece === 'string').join('')
  if (res.req.method !== 'HEAD' && !res.destroyed) sending.bytes = text.length
  sending.cache = 'none'
  res.end(text)
}

function writeBytes(sending: Sending, { status, headers, body }: SiteResponse, bytes: Buffer): undefined {
  const { res } = sending
  if (isGone(res)) return
  res.writeHead(status, headers)
  const [first] = body
  const whole =
    first !== undefined && body.length === 1
      ? cut(first, bytes)
      : Buffer.concat(body.map((piece) => cut(piece, bytes)))
  sending.bytes = whole.length
  res.end(whole)
  // Most responses fit into the socket's buffers at once, and need no timer.
  if (res.writableLength > 0) endWhenStalled(res)
}

/**
 * A session of HTTP/2 ends in a way of its own; and Node (20) keeps a stream that was destroyed, with all
 * that hangs on it, until such a timeout has passed.
 */
function endWhenStalled(res: ServerResponse): void {
  if (res.req.httpVersionMajor === 1) res.setTimeout(stalledMs)
}

function cut(piece: Piece, bytes: Buffer): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece, 'latin1')
  return piece.end - piece.start + 1 === bytes.length ? bytes : bytes.subarray(piece.start, piece.end + 1)
}

async function sendStream(
  sending: Sending,
  answer: SiteResponse,
  file: ManifestFile,
  source: Source,
): Promise<void> {
  const { res } = sending
  // Pipelined responses wait for their turn before they open anything.
  if (res.socket === null) await once(res, 'socket')
  if (isGone(res)) return
  endWhenStalled(res)
  let text = ''
  const begin = () => {
    // Sent only when the first bytes are there: until then this could still become an error response.
    if (!res.headersSent) res.writeHead(answer.status, answer.headers)
    if (text !== '') res.write(text)
    sending.bytes += text.length
    text = ''
  }
  for (const piece of answer.body) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    const bytes = piece.end - piece.start + 1
    await pump(source.stream(file, piece), sending, bytes, begin)
    source.sent(file, bytes)
  }
  sending.bytes += text.length
  res.end(text)
}
