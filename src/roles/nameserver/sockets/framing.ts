/** Messages on a stream: each is prefixed with its length (RFC 1035, section 4.2.2). */

/** No question is longer, with any options. */
const maxQuestionBytes = 4_096

/** Reassembles messages from chunks. */
export type Framing = {
  /** Takes more bytes; false when they can't be a question. */
  take(chunk: Buffer): boolean
  /** The next complete message, if there is one. */
  next(): Buffer | undefined
}

export function createFraming(): Framing {
  let bytes: Buffer = Buffer.alloc(0)
  const length = () => (bytes.length < 2 ? 0 : bytes.readUInt16BE(0))
  return {
    take(chunk) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      return length() <= maxQuestionBytes
    },
    next() {
      if (length() > maxQuestionBytes || bytes.length < 2 || bytes.length < 2 + length()) return undefined
      const message = bytes.subarray(2, 2 + length())
      bytes = bytes.subarray(2 + length())
      return message
    },
  }
}

/** The message with its length prefix. */
export function framed(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(2 + message.length)
  bytes.writeUInt16BE(message.length, 0)
  message.copy(bytes, 2)
  return bytes
}
