/** Observability. */
import { z } from 'zod'
import { followLogs } from '../../platform/observability/logs/follow.ts'
import { listLogs } from '../../platform/observability/logs/list-logs.ts'
import { logsInput } from '../../platform/observability/logs/log-input.ts'
import { isSameReader } from '../../platform/observability/logs/reader.ts'
import { requireReadable } from '../../platform/observability/logs/require-readable.ts'
import { logLineSchema } from '../../platform/observability/logs/row.ts'
import { metricsSchema, readMetrics } from '../../platform/observability/metrics/metrics.ts'
import { metricsInput } from '../../platform/observability/metrics/metrics-input.ts'
import { readOverview } from '../../platform/observability/overview.ts'
import { overviewSchema } from '../../platform/observability/overview-output.ts'
import { pageSchema } from '../../stores/db/page-schema.ts'
import { procedure, router } from '../trpc/init.ts'
import { logLineExample, metricsExample, overviewExample } from './examples/observability.ts'
import { pageMeta } from './page-meta.ts'

export const observabilityTag = { name: 'Observability', description: 'Overview, logs and metrics.' }

const tags = [observabilityTag.name]

export const observabilityRouter = router({
  overview: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      openapi: {
        method: 'GET',
        path: '/v1/overview',
        tags,
        summary: 'Get an overview',
        description:
          'The team at a glance, and the credential of this request. ' +
          'Members limited to some projects see the numbers of those, here and in logs and metrics.',
        successDescription: 'The overview',
      },
      example: { response: overviewExample },
    })
    .input(z.strictObject({}))
    .output(overviewSchema)
    .query(({ ctx: { services, principal, limit } }) => readOverview(services, principal, limit())),

  logs: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      reasons: ['scope', 'too_many_waiting'],
      ...pageMeta({
        of: 'lines',
        path: '/v1/logs',
        tags,
        summary: 'Read the log',
        description:
          'Output of builds (build) and of servers (runtime), requests to sites (request), what came by ' +
          'git (git), and audit events (audit). ' +
          'Busy projects log up to 20 requests per second and node, and summarize the rest: ' +
          'one line per second, level and deployment with fields.not_logged, ' +
          'so that the lines add up to all requests. With q, status or host a page may be ' +
          'short, or empty, and still have a next_cursor, since one call scans a limited number of lines. ' +
          'With order=asc there is always a next_cursor until until_ms has passed; with it and ' +
          'wait_s a log can be followed live. Lines are then returned a second after they were written, ' +
          'so that none is skipped. At most 20 calls of a team wait at a time: 429 too_many_waiting.',
        example: logLineExample,
      }),
    })
    .input(logsInput)
    .output(pageSchema(logLineSchema))
    .query(async ({ ctx, input: { wait_s, ...options } }) => {
      const { services, principal } = ctx
      requireReadable(principal, options)
      if (wait_s === 0) return listLogs(services, principal, options)
      const following = { ...services, signal: ctx.signal() }
      const page = await followLogs(following, principal, options, wait_s * 1_000)
      const now = await ctx.authenticateAgain()
      return isSameReader(principal, now) ? page : listLogs(services, now, options)
    }),

  metrics: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      openapi: {
        method: 'GET',
        path: '/v1/metrics',
        tags,
        summary: 'Read metrics',
        description:
          'The traffic of all sites of the team, or of one project, in steps that begin at multiples ' +
          'of step_ms and are complete: the first contains since_ms, the last may not be over yet. ' +
          'Responses are counted within a second. Minutes are kept for 3 days, hours for 92; ' +
          'further back step_ms is a multiple of an hour, or a day. At most 1,500 steps.',
        successDescription: 'The series',
      },
      reasons: ['project_not_found'],
      example: { response: metricsExample },
    })
    .input(metricsInput)
    .output(metricsSchema)
    .query(({ ctx: { services, principal }, input }) =>
      readMetrics({ ...services, db: services.store.db }, principal, input),
    ),
})
