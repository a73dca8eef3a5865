/** The compressed forms that a blob may have beside its own bytes. */

/** Content codings (RFC 9110, section 8.4.1), the one that makes files smaller first. */
export const codings = ['br', 'gzip'] as const

export type Coding = (typeof codings)[number]

/** A stored form: the name of its object in the blob store, and its length in bytes. */
export type EncodedForm = { object: string; size: number }

/** The forms that are there; one that isn't is either not made yet or not worth having. */
export type EncodedForms = Partial<Record<Coding, EncodedForm>>

/** Smaller files fit into a packet or two as they are. */
export const minEncodedBytes = 256

/** Larger files aren't compressed: a form is held in memory while it is made. */
export const maxEncodedBytes = 25 * 1024 * 1024
