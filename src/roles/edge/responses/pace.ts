/** How much is written at a time for a client: much while the client reads fast, little while it doesn't. */

const smallestBytes = 64 * 1024

/** The largest chunk of a store. */
const largestBytes = 1024 * 1024

/** A client that takes longer for a piece reads slowly. */
const fastMs = 100

export type Pace = {
  pieceBytes(): number
  /** A piece was written. */
  wrote(): void
  /** The client has read it. */
  drained(): void
}

/** Over HTTP/2 pieces stay small, since many streams share a session. */
export function createPace(httpVersionMajor: number): Pace {
  const most = httpVersionMajor === 1 ? largestBytes : smallestBytes
  let bytes = smallestBytes
  let wroteMs = 0
  return {
    pieceBytes: () => bytes,
    wrote() {
      wroteMs = performance.now()
    },
    drained() {
      bytes = performance.now() - wroteMs < fastMs ? Math.min(most, bytes * 2) : smallestBytes
    },
  }
}
