/**
 * Requests of the administrator that are answered by a stream of events, one JSON document a line, while the
 * node works.
 */
import { z } from 'zod'

/**
 * Something that is wrong, and whether that has just been mended. `kind` is for programs, `message` for
 * people.
 */
const problemSchema = z.object({
  type: z.literal('problem'),
  kind: z.string(),
  /** The id, name or object that is affected. */
  subject: z.string(),
  message: z.string(),
  mended: z.boolean(),
})

export type Problem = z.infer<typeof problemSchema>

/** How much of a part of the check is done, in pages. */
const progressSchema = z.object({ type: z.literal('progress'), part: z.string(), pages: z.int() })

const checkEventSchema = z.discriminatedUnion('type', [problemSchema, progressSchema])

export type CheckEvent = z.infer<typeof checkEventSchema>

const checkInputSchema = z.strictObject({
  /** Whether the bytes of all files are read. */
  deep: z.boolean(),
  mend: z.boolean(),
})

export type CheckInput = z.infer<typeof checkInputSchema>

/** `failed` completes "The node failed to …". */
export const checkStream = {
  path: '/check',
  input: checkInputSchema,
  failed: 'check the installation',
} as const

/** The lines of the response: events, then how it ended. */
export const streamLineSchema = z.union([
  z.object({ event: checkEventSchema }),
  z.object({ ended: z.literal(true) }),
  z.object({ message: z.string() }),
])

export type StreamLine = z.infer<typeof streamLineSchema>

/** Checks the installation until the last event; returning early stops it. */
export type CheckHandler = (input: CheckInput) => AsyncGenerator<CheckEvent>
