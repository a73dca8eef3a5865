/** The started parts of a node, which are closed in the reverse order. */

type Part = { close(): Promise<void> | void }

export type Parts = {
  /** Adds what has just been started, and returns it. */
  add<P extends Part>(part: P): P
  /** Closes all parts, the last one first; a second time there is nothing left to close. */
  close(): Promise<void>
}

/**
 * With a store away a part may fail to close: `onError` gets its error, and unless it throws, the parts
 * before it are closed all the same.
 */
export function createParts(onError: (error: unknown) => void): Parts {
  const parts: Part[] = []
  return {
    add(part) {
      parts.push(part)
      return part
    },
    async close() {
      for (const part of parts.splice(0).reverse()) {
        try {
          await part.close()
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
