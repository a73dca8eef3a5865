/** The end of a connection whose request is answered before its body has been read. */
import type { Readable } from 'node:stream'

/** More isn't read for the sake of a connection. */
const maxDrainedBytes = 64 * 1024

const maxDigits = String(maxDrainedBytes).length

/**
 * The body that a request announces. The rest of a `short` one can be read and dropped, so that the
 * connection serves another request (RFC 9112, section 9.3); not of a `long` one, nor of one with which the
 * client waits for a `100 (Continue)`, without which it may never send it.
 */
export type Announced = 'none' | 'short' | 'long'

/** The body of a request by its `rawHeaders`: alternating names and values, as in node:http. */
export function announcedBody(rawHeaders: readonly string[]): Announced {
  let announced: Announced = 'none'
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Most have another length, and every request passes here.
    if (name.length !== 14 && name.length !== 17 && name.length !== 6) continue
    const field = name.toLowerCase()
    if (field === 'transfer-encoding' || field === 'expect') return 'long'
    if (field !== 'content-length') continue
    const length = rawHeaders[at + 1] ?? ''
    if (!isShort(length)) return 'long'
    if (length !== '0') announced = 'short'
  }
  return announced
}

function isShort(length: string): boolean {
  return length.length <= maxDigits && Number(length) <= maxDrainedBytes
}

/** Reads the rest of a body and drops it, also where somebody has begun to read it, who must not go on. */
export function drain(request: Readable): void {
  // With such a listener, the stream would wait for it; where there is none, removing it stops a stream that
  // flows.
  if (request.listenerCount('readable') > 0) request.removeAllListeners('readable')
  request.resume()
}
