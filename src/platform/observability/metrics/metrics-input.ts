/** The input of requests for metrics. */
import { z } from 'zod'
import { timeMsInput } from '../../../stores/db/record-fields.ts'
import { projectReference } from '../../projects/reference.ts'
import { metricNames } from './metric-names.ts'

export const metricsInput = z.strictObject({
  metric: z.enum(metricNames).meta({
    description:
      'requests: responses; bytes: size of the response bodies; ' +
      'errors: responses with status 500 and above; responses_2xx to responses_5xx: those of a class; ' +
      'responses_404: those of 404, also in responses_4xx; latency_*: percentiles of the response time',
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

export type MetricsOptions = z.infer<typeof metricsInput>

/** The range of time and the length of steps that a caller asks for, in Unix milliseconds. */
export type RangeInput = Pick<MetricsOptions, 'since_ms' | 'until_ms' | 'step_ms'>
