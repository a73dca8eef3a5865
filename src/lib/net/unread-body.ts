/** The end of a connection whose request is answered before its body has been read. */
import type { Readable } from 'node:stream'

/** More isn't read for the sake of a connection. */
const maxDrainedBytes = 64 * 1024

const maxDigits = String(maxDrainedBytes).length

/**
 * Whether the rest of a body can be read and dropped, so that the connection serves another request (RFC
 * 9112, section 9.3): it is short, and the client doesn't wait with it for a `100 (Continue)`, without which
 * it may never send it. `rawHeaders` are alternating names and values, as in node:http.
 */
export function canBeDrained(rawHeaders: readonly string[]): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Most have another length, and every request passes here.
    if (name.length !== 14 && name.length !== 17 && name.length !== 6) continue
    const field = name.toLowerCase()
    if (field === 'transfer-encoding' || field === 'expect') return false
    if (field === 'content-length' && !isShort(rawHeaders[at + 1] ?? '')) return false
  }
  return true
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
