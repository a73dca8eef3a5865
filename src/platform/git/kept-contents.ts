/** Contents of blobs that are kept from their first reading until the second. */

/** The most contents kept for all pushes that this process takes at once. */
const maxBytes = 64 * 1024 * 1024

let allBytes = 0

export type Kept = {
  /** Keeps a copy, if there is room. */
  keep(oid: string, content: Buffer): void
  /** The content, which is kept no longer. */
  take(oid: string): Buffer | undefined
  /** Ends it all; nothing is kept from then on. */
  end(): void
}

/** The contents of one repository, by object. */
export function createKept(): Kept {
  const contents = new Map<string, Buffer>()
  let isEnded = false

  function take(oid: string): Buffer | undefined {
    const content = contents.get(oid)
    if (!content) return undefined
    contents.delete(oid)
    allBytes -= content.length
    return content
  }

  return {
    keep(oid, content) {
      if (isEnded || contents.has(oid) || allBytes + content.length > maxBytes) return
      allBytes += content.length
      // A copy: what was read is a part of a longer buffer.
      contents.set(oid, Buffer.from(content))
    },
    take,
    end() {
      isEnded = true
      for (const oid of [...contents.keys()]) take(oid)
    },
  }
}
