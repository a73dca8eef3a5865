/** A site's parsed rules, stored with its manifest. */
import { z } from 'zod'
import { redirectStatuses } from '../../../lib/net/redirect-statuses.ts'

/** A literal text, or the placeholder of this name; the name of `*` is `splat`. */
const partSchema = z.union([z.string(), z.strictObject({ name: z.string() })])

/**
 * A path in parts: decoded, in NFC, without leading and trailing slash. A placeholder is one segment, or what
 * is between the texts around it in one; there is at most one splat, in a segment without placeholders.
 */
const patternSchema = z.array(partSchema)

/**
 * The destination of a rule. On the same site `origin` is empty and `path` is decoded; elsewhere `path` is
 * encoded. Both have no leading slash. `query` (with its `?`) and `fragment` (with its `#`) are encoded, or
 * empty.
 */
const destinationSchema = z.strictObject({
  origin: z.string(),
  path: z.array(partSchema),
  query: z.array(partSchema),
  fragment: z.array(partSchema),
})

/** 200 and 404 serve another path's file; with 200, a request is passed on to another host. */
export const ruleStatuses = [200, ...redirectStatuses, 404] as const

const redirectSchema = z.strictObject({
  from: patternSchema,
  to: destinationSchema,
  status: z.literal(ruleStatuses),
  /** Whether it also applies if there is a file. */
  forced: z.boolean(),
})

/** A header to add, or with null to remove. */
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
