/** Examples of the overview, metrics and lines of the log in the document of the API. */
import type { z } from 'zod'
import type { logLineSchema } from '../../../platform/observability/logs/row.ts'
import type { Metrics } from '../../../platform/observability/metrics/metrics.ts'
import type { overviewSchema } from '../../../platform/observability/overview-output.ts'
import { deploymentExample } from './deployments.ts'
import { keyExample } from './tokens.ts'

export const overviewExample: z.infer<typeof overviewSchema> = {
  team: 'acme',
  plan: 'free',
  projects: 1,
  deployments: { total: 1, by_state: { queued: 0, building: 0, ready: 1, error: 0, canceled: 0 } },
  domains: { total: 1, verified: 1 },
  webhooks: 1,
  requests_24h: 48_210,
  bytes_24h: 612_448_031,
  errors_24h: 2,
  recent_deployments: [deploymentExample],
  credential: { kind: 'key', prefix: keyExample.prefix, role: 'owner', expires_ms: null },
  rate_limit: { per_second: 20, burst: 100, remaining: 99 },
  storage: { used_bytes: 81_920_400, limit_bytes: 1_073_741_824 },
}

export const metricsExample: Metrics = {
  metric: 'latency_p95',
  unit: 'ms',
  step_ms: 300_000,
  points: [
    [1_790_000_100_000, 1.284],
    [1_790_000_400_000, null],
  ],
}

export const logLineExample: z.infer<typeof logLineSchema> = {
  id: 'evt_019aa5d3e6c1a4b2f60d93c2e8175b64',
  time_ms: 1_790_000_003_000,
  kind: 'audit',
  level: 'info',
  message: `promoted ${deploymentExample.id} to production of web`,
  project: 'web',
  deployment: deploymentExample.id,
  fields: {
    type: 'deployment.promoted',
    actor: deploymentExample.created_by,
    actor_name: deploymentExample.created_by_name,
    key: keyExample.id,
    key_name: keyExample.name,
    address: '203.0.113.9',
    request_id: 'req_019aa5d3e6c0b7d1e2f3a4b5c6d7e8f9',
    data: { previous: null, rollback: false },
  },
}
