/** A person's sessions as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'

export const sessionSchema = z.object({
  id: idSchema('session'),
  created_ms: timeMs,
  last_used_ms: timeMs.meta({ description: 'To the minute' }),
  expires_ms: timeMs,
  address: z.string().nullable().meta({ description: 'The address that it was begun from' }),
  device: z.string().meta({ description: 'As the browser described itself', examples: ['Firefox on Linux'] }),
  current: z.boolean().meta({ description: "Whether it is the request's own" }),
})

export const endedSchema = z.object({ ended: integer.meta({ description: 'How many sessions ended' }) })

export type SessionRecord = z.infer<typeof sessionSchema>

export type Ended = z.infer<typeof endedSchema>
