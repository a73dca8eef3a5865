/** The rules of a site as they are stored with its manifest: `_redirects` and `_headers`, checked and taken apart. */
import { z } from 'zod'

/** A text as it is, or what a placeholder of this name stands for; the name of `*` is `splat`. */
const partSchema = z.union([z.string(), z.strictObject({ name: z.string() })])

/**
 * A path in parts: decoded, in NFC, without its leading slash and one at its end. A placeholder is a whole segment; there
 * is at most one splat, anywhere.
 */
const patternSchema = z.array(partSchema)

/**
 * Where a rule leads. On the same site `origin` is empty and `path` is decoded; on another, `path` is as it is sent. Both
 * come without their leading slash. `query` (with its `?`) and `fragment` (with its `#`) are as they are sent, or empty.
 */
const destinationSchema = z.strictObject({
  origin: z.string(),
  path: z.array(partSchema),
  query: z.array(partSchema),
  fragment: z.array(partSchema),
})

const redirectSchema = z.strictObject({
  from: patternSchema,
  to: destinationSchema,
  status: z.literal([200, 301, 302, 303, 307, 308, 404]),
  /** Whether it also applies where there is a file. */
  forced: z.boolean(),
})

/** A header to add, or with null to take away. */
const headerChangeSchema = z.strictObject({ name: z.string(), value: z.array(partSchema).nullable() })

const headerRuleSchema = z.strictObject({ at: patternSchema, changes: z.array(headerChangeSchema) })

export const rulesSchema = z.strictObject({
  redirects: z.array(redirectSchema),
  headers: z.array(headerRuleSchema),
})

export type Part = z.output<typeof partSchema>
export type Pattern = z.output<typeof patternSchema>
export type Destination = z.output<typeof destinationSchema>
export type Redirect = z.output<typeof redirectSchema>
export type HeaderChange = z.output<typeof headerChangeSchema>
export type HeaderRule = z.output<typeof headerRuleSchema>
export type Rules = z.output<typeof rulesSchema>
