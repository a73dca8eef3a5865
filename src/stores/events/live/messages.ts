/**
 * The messages of a stream of a team's events: enough to know what to read again, never the changes
 * themselves.
 */
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import { loggedTypes } from '../../../lib/names/event-types.ts'
import { timeMs } from '../../db/record-fields.ts'

const happened = z.object({
  type: z.enum([...loggedTypes, 'deployment.building']),
  project: idSchema('project').nullable(),
  deployment: idSchema('deployment').nullable(),
  domain: z
    .string()
    .nullable()
    .meta({ description: "The domain's name, of an event of a domain or a record" }),
  created_ms: timeMs,
})

/**
 * `connected` comes first, and says that what happens from now on follows; `missed` stands for any number of
 * events that don't.
 */
export const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({ type: z.literal('missed') }),
  happened,
])

/** The type of one message. */
export type Message = z.infer<typeof messageSchema>

/** An event, with the id after which a stream resumes. */
export type LiveEvent = { id: string; message: z.infer<typeof happened> }
