/** Observability. */
import { z } from 'zod'
import { roleSchema } from '../auth/principal.ts'
import type { State } from '../deployments/state.ts'
import { planSchema } from '../limits/plan.ts'
import { readOverview } from '../observability/overview.ts'
import { procedure, router } from '../trpc/init.ts'
import { deployment } from './deployments.ts'
import { integer, timeMs } from './schemas.ts'

const tags = ['Observability']

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

const overview = z
  .object({
    team: z.string().meta({ description: "The team's slug" }),
    plan: planSchema,
    projects: integer,
    deployments: z
      .object({ total: integer, by_state: byState })
      .meta({ description: 'Of a state with more than 1,000 the number may be a minute old' }),
    domains: z.object({ total: integer, verified: integer }),
    recent_deployments: z.array(deployment).meta({ description: 'The newest five' }),
    credential: credential.meta({ description: "The caller's" }),
    rate_limit: rateLimit.meta({ description: "The team's requests" }),
  })
  .meta({ id: 'Overview' })

export const observabilityRouter = router({
  overview: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/overview',
        tags,
        summary: 'Get an overview',
        description: 'The team at a glance, and what the credential of this request is and may do.',
        successDescription: 'The overview',
        errorResponses: [400, 401, 500, 503],
      },
    })
    .input(z.strictObject({}))
    .output(overview)
    .query(({ ctx: { services, principal, limit } }) => readOverview(services, principal, limit)),
})
