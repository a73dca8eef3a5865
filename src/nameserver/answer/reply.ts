/** What a question gets, before it is bytes. */
import type { RRset } from '../zones/zone.ts'

/** Records as a message has them: under the name that was asked for, where they come from a wildcard. */
export type Owned = { name: string; set: RRset }

/** An address that has to be looked up elsewhere. */
export type AliasQuestion = { name: string; target: string; type: number; ttl: number }

export type Reply = {
  rcode: number
  isAuthoritative: boolean
  isReferral: boolean
  answer: Owned[]
  authority: Owned[]
  additional: Owned[]
  /** Whose addresses, once known, belong to the answer; the authority is for when there are none. */
  alias: AliasQuestion | undefined
  /** Whether few others are like it, so that it is worth keeping: those to names that aren't there are endless. */
  isOfName: boolean
  /** What is the same for all names that get this very reply, such as the wildcard; undefined where there is nothing. */
  shared: string | undefined
}
