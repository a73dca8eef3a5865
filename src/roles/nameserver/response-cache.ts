/** A cache of encoded responses, for the same question or other names with the same reply. */
import { LRUCache } from 'lru-cache'
import type { Reply } from './answer/reply.ts'
import { type Encoded, encode, encodeShared, isTooLong, maxUdpBytes } from './wire/encode-response.ts'
import type { Question } from './wire/question.ts'
import type { Validity } from './zones/zone.ts'

/** `encoded` is undefined if the response exceeds any message. */
type Kept = { encoded: Encoded | undefined; validity: Validity }

export type Written = {
  /** The cached response to a question, as long as the family is current. */
  known(key: string): Kept | undefined
  /** The response for a reply, encoded unless cached. @throws when a record doesn't match its type. */
  write(reply: Reply, question: Question, validity: Validity): Encoded | undefined
}

const maxKept = 150_000
const maxKeptBytes = 64 * 1024 * 1024

/** Memory of a response besides its bytes, and of each of its pointers. */
const keptOverhead = 300
const pointerBytes = 8

/** A prefix of keys shared by several names, which no question's key has. */
const sharedMark = '\u0100'

/** An empty cache of responses. */
export function createResponseCache(): Written {
  const kept = new LRUCache<string, Kept>({
    max: maxKept,
    maxSize: maxKeptBytes,
    sizeCalculation: ({ encoded }) =>
      keptOverhead + (encoded ? encoded.bytes.length + pointerBytes * encoded.pointers.length : 0),
  })

  function keep(key: string, encoded: Encoded | undefined, validity: Validity): Encoded | undefined {
    if (validity.isCurrent) kept.set(key, { encoded, validity })
    return encoded
  }

  return {
    known(key) {
      const known = kept.get(key)
      return known?.validity.isCurrent ? known : undefined
    },
    write(reply, question, validity) {
      // Addresses of an alias have a TTL of their own.
      if (reply.alias) return encode(question.key, reply)
      if (reply.isOfName) return keep(question.key, encode(question.key, reply), validity)
      // Short ones are encoded as fast as they are looked up.
      if (reply.shared === undefined || !isTooLong(reply, question, maxUdpBytes)) {
        return encode(question.key, reply)
      }
      const key = sharedMark + reply.shared
      const known = kept.get(key)
      if (known?.validity === validity) return known.encoded
      return keep(key, encodeShared(question.key, reply), validity)
    },
  }
}
