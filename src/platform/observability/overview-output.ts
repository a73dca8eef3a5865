/** The overview of a team as clients see it. */
import { z } from 'zod'
import { planSchema } from '../../lib/plan.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'
import { roleSchema } from '../callers/principal.ts'
import { deploymentSchema } from '../deployments/deployment-output.ts'
import type { State } from '../deployments/state.ts'

const credential = z.object({
  kind: z.enum(['key', 'jwt', 'session']),
  prefix: z.string().nullable().meta({ description: 'The start of an API key, to recognise it by' }),
  role: roleSchema.meta({ description: 'What it may do' }),
  expires_ms: timeMs.nullable().meta({ description: 'null where it does not expire' }),
})

const byState = z.object({
  queued: integer,
  building: integer,
  ready: integer,
  error: integer,
  canceled: integer,
} satisfies Record<State, unknown>)

const rateLimit = z.object({
  per_second: integer,
  burst: integer.meta({ description: 'How many at once' }),
  remaining: integer.meta({ description: 'How many are left after this one' }),
})

export const overviewSchema = z
  .object({
    team: z.string().meta({ description: "The team's slug" }),
    plan: planSchema,
    projects: integer,
    deployments: z
      .object({ total: integer, by_state: byState })
      .meta({ description: 'Of a state with more than 1,000 the number may be a minute old' }),
    domains: z.object({ total: integer, verified: integer }),
    webhooks: integer,
    requests_24h: integer.meta({
      description: "What the edge answered for the team's projects in the last 24 hours",
    }),
    bytes_24h: integer.meta({ description: 'Of the bodies of these answers' }),
    errors_24h: integer.meta({ description: 'How many of them were of status 500 and above' }),
    recent_deployments: z.array(deploymentSchema).meta({ description: 'The newest five' }),
    credential: credential.meta({ description: "The caller's" }),
    rate_limit: rateLimit.meta({
      description: "The requests of the team's keys, or for a session those of its user",
    }),
    storage: z
      .object({
        used_bytes: integer.meta({
          description:
            "The team's files, each once, with their compressed forms; " +
            'for a member limited to some projects those of their deployments',
        }),
        limit_bytes: integer.nullable().meta({ description: 'null where there is none' }),
      })
      .meta({ description: 'New files beyond the limit are refused with 403 storage_quota' }),
  })
  .meta({ id: 'Overview' })

export type Overview = z.infer<typeof overviewSchema>
