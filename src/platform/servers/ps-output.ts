/** Running servers as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'
import { targetSchema } from '../projects/project-output.ts'

export const runningServerSchema = z
  .object({
    project: z.string().meta({ description: "The project's name" }),
    deployment: idSchema('deployment'),
    target: targetSchema.meta({ description: 'Whose variables it has' }),
    live: z.boolean().meta({ description: "Whether its deployment is the project's production now" }),
    node: z.string().meta({ description: 'Where it runs' }),
    state: z.enum(['starting', 'running', 'crashed']),
    since_ms: timeMs.meta({ description: 'Since when it is in this state' }),
    memory_bytes: integer.nullable().meta({ description: 'As it was measured last; null before' }),
    restarts: integer.meta({ description: 'How often it has ended by itself since its first start there' }),
  })
  .meta({ id: 'RunningServer' })

export type RunningServer = z.infer<typeof runningServerSchema>

export const restartedSchema = z.object({
  project: z.string(),
  restarted_ms: timeMs,
  servers: integer.meta({ description: 'How many ran then' }),
})

export type Restarted = z.infer<typeof restartedSchema>
