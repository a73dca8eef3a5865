/** The compressed variants of a blob. */

/** Content codings (RFC 9110, section 8.4.1), the better compression first. */
export const codings = ['br', 'gzip'] as const

export type Coding = (typeof codings)[number]

/** A stored variant: the name of its object in the blob store, and its length in bytes. */
export type EncodedForm = { object: string; size: number }

/** The existing variants; a missing one is pending or not worthwhile. */
export type EncodedForms = Partial<Record<Coding, EncodedForm>>

/** Smaller files fit into a packet or two uncompressed. */
export const minEncodedBytes = 256

/** Larger files aren't compressed: a variant is held in memory while it is created. */
export const maxEncodedBytes = 25 * 1024 * 1024
