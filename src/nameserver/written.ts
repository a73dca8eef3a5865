/** Answers that have been written, kept for whoever asks the same, or for another name that gets the very same. */
import { LRUCache } from 'lru-cache'
import type { Reply } from './answer/reply.ts'
import { type Encoded, encode, encodeShared, isTooLong, maxUdpBytes } from './wire/message.ts'
import type { Question } from './wire/question.ts'
import type { Validity } from './zones/zone.ts'

/** `encoded` is undefined where no message has room for the answer. */
type Kept = { encoded: Encoded | undefined; validity: Validity }

export type Written = {
  /** What was written for a question before, while it is what the database says. */
  known(key: string): Kept | undefined
  /** The reply to a question, written unless it has been. @throws where a record isn't what its type has. */
  write(reply: Reply, question: Question, validity: Validity): Encoded | undefined
}

const maxKept = 150_000
const maxKeptBytes = 64 * 1024 * 1024

/** What an answer takes in memory beside its bytes, and each of its pointers. */
const keptOverhead = 300
const pointerBytes = 8

/** Before what several names share, and in no key of a question, which has bytes alone. */
const sharedMark = '\u0100'

/** An empty memory of answers. */
export function createWritten(): Written {
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
      // An alias's addresses have a time of their own.
      if (reply.alias) return encode(question.key, reply)
      if (reply.isOfName) return keep(question.key, encode(question.key, reply), validity)
      // What is short is written as fast as it is found.
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
