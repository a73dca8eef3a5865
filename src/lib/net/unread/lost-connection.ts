/** Notices connections of TLS that were reset while something was waiting to be sent. */
import type { Socket } from 'node:net'

type Counted = Pick<Socket, 'bytesWritten'>

/**
 * Node (20) takes one more write to such a connection, reports the earlier ones as sent, and tells nobody.
 * The returned function, called from time to time, says whether `tls` has taken something of which `carrier`,
 * the socket below, got nothing until the next time. Whoever merely doesn't read gets the first part of a
 * write at once.
 */
export function createIsLost(tls: Counted, carrier: Counted): () => boolean {
  let tookBytes = tls.bytesWritten
  let passedBytes = carrier.bytesWritten
  let isSuspected = false
  return () => {
    const hasTaken = tls.bytesWritten !== tookBytes
    const hasPassed = carrier.bytesWritten !== passedBytes
    tookBytes = tls.bytesWritten
    passedBytes = carrier.bytesWritten
    const isLost = isSuspected && !hasPassed
    isSuspected = !hasPassed && (isSuspected || hasTaken)
    return isLost
  }
}
