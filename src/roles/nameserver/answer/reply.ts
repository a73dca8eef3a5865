/** The answer to a question, before encoding. */
import type { RRset } from '../zones/zone.ts'

/** Records as in a message: with the queried name if they come from a wildcard. */
export type Owned = { name: string; set: RRset }

/** An address that has to be resolved elsewhere. */
export type AliasQuestion = { name: string; target: string; type: number; ttl: number }

export type Reply = {
  rcode: number
  isAuthoritative: boolean
  isReferral: boolean
  answer: Owned[]
  authority: Owned[]
  additional: Owned[]
  /** The alias whose addresses belong to the answer; the authority section is for when there are none. */
  alias: AliasQuestion | undefined
  /** Whether it is worth caching: negative answers to random names are endless. */
  isOfName: boolean
  /**
   * A key that is the same for all names with this very reply, such as the wildcard; undefined if there is
   * none.
   */
  shared: string | undefined
}
