/** How much is written at a time for a client: much while the client reads fast, little while it doesn't. */

/** From the smallest to the largest: up to a chunk of a store. */
const ofHttp1 = { least: 64 * 1024, most: 1024 * 1024 }

/**
 * Many streams share a session, and what is written is seen to be read only once all of it is: a client at
 * 1 kB/s takes a quarter of a minute for the smallest.
 */
const ofHttp2 = { least: 16 * 1024, most: 64 * 1024 }

/** A client that takes longer for a piece reads slowly. */
const fastMs = 100

export type Pace = {
  pieceBytes(): number
  /** Whether the client has read the last piece fast. */
  isFast(): boolean
  /** A piece was written. */
  wrote(): void
  /** The client has read it. */
  drained(): void
}

export function createPace(httpVersionMajor: number): Pace {
  const { least, most } = httpVersionMajor === 1 ? ofHttp1 : ofHttp2
  let bytes = least
  let wroteMs = 0
  let isFast = false
  return {
    pieceBytes: () => bytes,
    isFast: () => isFast,
    wrote() {
      wroteMs = performance.now()
    },
    drained() {
      isFast = performance.now() - wroteMs < fastMs
      bytes = isFast ? Math.min(most, bytes * 2) : least
    },
  }
}
