/** Observability. */
import { z } from 'zod'
import { followLogs } from '../observability/logs/follow.ts'
import { listLogs } from '../observability/logs/list.ts'
import { logKinds, logLevels, logLineSchema } from '../observability/logs/row.ts'
import { metricNames, metricsSchema, readMetrics } from '../observability/metrics/metrics.ts'
import { readOverview } from '../observability/overview.ts'
import { overviewSchema } from '../observability/record.ts'
import { procedure, router } from '../trpc/init.ts'
import { pageInput, pageOf, projectReference, timeMsInput } from './schemas.ts'

const tags = ['Observability']

const kind = z.enum(logKinds)
const level = z.enum(logLevels)

const logsInput = z
  .strictObject({
    ...pageInput,
    kind: kind.optional().meta({ description: 'Only those of this kind' }),
    project: projectReference.optional(),
    deployment: z.string().min(1).max(100).optional().meta({ description: "A deployment's id" }),
    level: level.optional().meta({ description: 'Only those of exactly this level; audit lines are info' }),
    q: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'A substring of the message, case-insensitive' }),
    since_ms: timeMsInput.optional().meta({ description: 'Written at or after' }),
    until_ms: timeMsInput.optional().meta({ description: 'Written before' }),
    order: z.enum(['desc', 'asc']).default('desc').meta({ description: 'Newest or oldest first' }),
    wait_s: z
      .int()
      .min(0)
      .max(30)
      .default(0)
      .meta({ description: 'With order=asc: how long to wait for a line, in seconds' }),
  })
  .superRefine(({ kind, level, since_ms, until_ms, order, wait_s }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
    if (wait_s > 0 && order === 'desc') refuse('wait_s', 'requires order=asc')
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
      'requests: responses; bytes: size of the response bodies; errors: responses with status 500 and above; latency_*: percentiles of the response time',
  }),
  project: projectReference.optional(),
  since_ms: timeMsInput.optional().meta({ description: 'Default: 24 hours before until_ms' }),
  until_ms: timeMsInput.optional().meta({ description: 'Default: now' }),
  step_ms: z
    .int()
    .min(60_000)
    .optional()
    .meta({
      description: 'A whole number of minutes, in milliseconds; chosen automatically if omitted',
      examples: [300_000],
    }),
})

export const observabilityRouter = router({
  overview: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/overview',
        tags,
        summary: 'Get an overview',
        description: 'The team at a glance, and the credential of this request.',
        successDescription: 'The overview',
      },
    })
    .input(z.strictObject({}))
    .output(overviewSchema)
    .query(({ ctx: { services, principal, limit } }) => readOverview(services, principal, limit)),

  logs: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/logs',
        tags,
        summary: 'Read the log',
        description:
          'Build output (build), requests to sites (request), and audit events (audit). Busy projects log up to 20 requests ' +
          'per second and node, and summarize the rest: one line per second, level and deployment ' +
          'with fields.not_logged, so that the lines add up to all requests. With q a page ' +
          'may be short, or empty, and still have a next_cursor, since one call scans a limited number of lines. With order=asc there is always a ' +
          'next_cursor until until_ms has passed; with it and wait_s a log can be followed live. Lines are then returned a second ' +
          'after they were written, so that none is skipped. At most 20 calls of a team wait at a time: 429 too_many_waiting.',
        successDescription: 'A page of lines',
      },
      reasons: ['too_many_waiting'],
    })
    .input(logsInput)
    .output(pageOf(logLineSchema))
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
          'The traffic of all sites of the team, or of one project, in steps that begin at multiples of step_ms and are ' +
          'complete: the first contains since_ms, the last may not be over yet. Responses are counted within a second. ' +
          'Minutes are kept for 3 days, hours for 92; further back step_ms is a multiple of an hour, or a day. At most 1,500 steps.',
        successDescription: 'The series',
      },
      reasons: ['project_not_found'],
    })
    .input(metricsInput)
    .output(metricsSchema)
    .query(({ ctx: { services, principal }, input }) =>
      readMetrics({ ...services, db: services.store.db }, principal.teamId, input),
    ),
})
