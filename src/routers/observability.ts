/** Observability. */
import { z } from 'zod'
import { roleSchema } from '../auth/principal.ts'
import type { State } from '../deployments/state.ts'
import { planSchema } from '../limits/plan.ts'
import { followLogs } from '../observability/logs/follow.ts'
import { listLogs } from '../observability/logs/list.ts'
import { logKinds, logLevels } from '../observability/logs/row.ts'
import { metricNames, metricUnits, readMetrics } from '../observability/metrics/metrics.ts'
import { readOverview } from '../observability/overview.ts'
import { procedure, router } from '../trpc/init.ts'
import { deployment } from './deployments.ts'
import { integer, pageInput, pageOf, projectReference, timeMs, timeMsInput } from './schemas.ts'

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
    webhooks: integer,
    requests_24h: integer.meta({
      description: "What the edge answered for the team's projects in the last 24 hours",
    }),
    bytes_24h: integer.meta({ description: 'Of the bodies of these answers' }),
    errors_24h: integer.meta({ description: 'How many of them were of status 500 and above' }),
    recent_deployments: z.array(deployment).meta({ description: 'The newest five' }),
    credential: credential.meta({ description: "The caller's" }),
    rate_limit: rateLimit.meta({ description: "The team's requests" }),
    storage: z
      .object({
        used_bytes: integer.meta({ description: "The team's files, each once, with their compressed forms" }),
        limit_bytes: integer.nullable().meta({ description: 'null where there is none' }),
      })
      .meta({ description: 'New files beyond the limit are refused with 403 storage_quota' }),
  })
  .meta({ id: 'Overview' })

const kind = z.enum(logKinds)
const level = z.enum(logLevels)

const logRow = z
  .object({
    id: z.string().meta({ pattern: '^(log|evt)_[0-9a-f]{32}$' }),
    time_ms: timeMs,
    kind,
    level,
    message: z.string(),
    project: z.string().nullable().meta({ description: "The project's present name; null when it is gone" }),
    deployment: z.string().nullable().meta({ description: "The deployment's id" }),
    fields: z.record(z.string(), z.unknown()).meta({
      description:
        'Of a request: method, host, path (without its query, cut after 500 characters), status, bytes, duration_ms, cache ' +
        '(memory, blob, or none where it was answered without a file), address (the network of the client, an IPv4 /24 or an ' +
        'IPv6 /48), and ended_ms where it was written late; or, of requests without a line of their own: not_logged (how many), ' +
        'by_status, from_ms, to_ms. Of an audit line: type, actor, key, address, request_id, and the data of the event',
    }),
  })
  .meta({ id: 'LogLine' })

const logsInput = z
  .strictObject({
    ...pageInput,
    kind: kind.optional().meta({ description: 'Only those of this kind' }),
    project: projectReference.optional(),
    deployment: z.string().min(1).max(100).optional().meta({ description: "A deployment's id" }),
    level: level.optional().meta({ description: 'Only those of just this level; audit lines are info' }),
    q: z.string().min(1).max(200).optional().meta({ description: 'A part of the message, in any case' }),
    since_ms: timeMsInput.optional().meta({ description: 'Written then or later' }),
    until_ms: timeMsInput.optional().meta({ description: 'Written before' }),
    order: z.enum(['desc', 'asc']).default('desc').meta({ description: 'Newest first, or oldest' }),
    wait_s: z
      .int()
      .min(0)
      .max(30)
      .default(0)
      .meta({ description: 'With order=asc: how long to wait for a line, in seconds' }),
  })
  .superRefine(({ kind, level, since_ms, until_ms, order, wait_s }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (wait_s > 0 && order === 'desc') refuse('wait_s', 'is only for order=asc')
    if (since_ms !== undefined && until_ms !== undefined && until_ms <= since_ms) {
      refuse('until_ms', 'must be after since_ms')
    }
    if (kind === 'audit' && level !== undefined && level !== 'info') {
      refuse('level', 'must be info with kind=audit: audit lines have no other')
    }
  })

const metricsInput = z.strictObject({
  metric: z.enum(metricNames).meta({
    description:
      'requests: how many were answered; bytes: of the bodies of the answers; errors: answers of status 500 and above; latency_*: the time that so many percent of the answers did not take longer than',
  }),
  project: projectReference.optional(),
  since_ms: timeMsInput.optional().meta({ description: '24 hours before until_ms, where it is left out' }),
  until_ms: timeMsInput.optional().meta({ description: 'Now, where it is left out' }),
  step_ms: z
    .int()
    .min(60_000)
    .optional()
    .meta({
      description: 'A whole number of minutes, in milliseconds; chosen where it is left out',
      examples: [300_000],
    }),
})

/** Described as a list of two, since common tools don't know the tuples of JSON Schema 2020-12. */
const point = z.tuple([timeMs, z.number().nullable()]).meta({
  override: ({ jsonSchema }) => {
    delete jsonSchema.prefixItems
    Object.assign(jsonSchema, { items: { type: ['number', 'null'] }, minItems: 2, maxItems: 2 })
  },
})

const metrics = z
  .object({
    metric: z.enum(metricNames),
    unit: z.enum(metricUnits),
    step_ms: integer,
    points: z.array(point).meta({
      description: 'The start of each step and its value; a latency is null where nothing was answered',
    }),
  })
  .meta({ id: 'Metrics' })

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
      },
    })
    .input(z.strictObject({}))
    .output(overview)
    .query(({ ctx: { services, principal, limit } }) => readOverview(services, principal, limit)),

  logs: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/logs',
        tags,
        summary: 'Read the log',
        description:
          'What builds wrote, what sites were asked for (request), and who did what (audit). Of a project that is asked for ' +
          'much, 20 requests a second and node have a line; the others are told each second, for each level and deployment, ' +
          'by a line with fields.not_logged: the requests of all lines are all that there were. With q a page ' +
          'may be short, or empty, and still have a next_cursor: it was looked far enough. With order=asc there is always a ' +
          'next_cursor, until until_ms has passed; with it and wait_s a log is followed live. A line is then told a second ' +
          'after it was written, so that none is skipped. At most 20 calls of a team wait at a time: 429 too_many_waiting.',
        successDescription: 'A page of lines',
      },
      reasons: ['too_many_waiting'],
    })
    .input(logsInput)
    .output(pageOf(logRow))
    .query(async ({ ctx, input: { wait_s, ...options } }) => {
      const { services, principal } = ctx
      if (wait_s === 0) return listLogs(services, principal.teamId, options)
      const following = { ...services, signal: ctx.signal }
      const page = await followLogs(following, principal.teamId, options, wait_s * 1_000)
      await ctx.authenticateAgain()
      return page
    }),

  metrics: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/metrics',
        tags,
        summary: 'Read metrics',
        description:
          'The traffic of the sites of the team, or of one project, in steps that begin at multiples of step_ms and are told ' +
          'whole: the first has since_ms in it, the last may not be over yet. What a node has answered is told a second later. ' +
          'Minutes are kept for 3 days, hours for 92; further back step_ms is a multiple of an hour, or a day. At most 1,500 steps.',
        successDescription: 'The series',
      },
      reasons: ['project_not_found'],
    })
    .input(metricsInput)
    .output(metrics)
    .query(({ ctx: { services, principal }, input }) =>
      readMetrics({ ...services, db: services.store.db }, principal.teamId, input),
    ),
})
