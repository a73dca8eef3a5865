/** Starts the internal port, which every node has. */

import { type Listening, listen } from '../../lib/net/listen.ts'
import type { LookAtReadiness } from '../../platform/observability/readiness.ts'
import { createServesDomain } from '../../roles/edge/serves-domain.ts'
import type { Metrics } from '../../roles/internal/metrics/metrics.ts'
import { createInternalServer } from '../../roles/internal/server.ts'
import type { NodeContext } from './context.ts'
import { publicSitesUrl } from './public-url.ts'

type Deps = Pick<NodeContext, 'settings' | 'sites' | 'log'> & { metrics: Metrics; readiness: LookAtReadiness }

/** Resolves once the internal port listens. @throws SettingsError when it is in use. */
export function startInternal({ settings, sites, metrics, readiness, log }: Deps): Promise<Listening> {
  const { SVC_INTERNAL_PORT: port, SVC_INTERNAL_HOST: host, SVC_EDGE_PORT } = settings
  const servesDomain = createServesDomain(sites, publicSitesUrl(settings, SVC_EDGE_PORT))
  return listen(createInternalServer({ servesDomain, metrics, readiness, log }), {
    port,
    host,
    setting: 'SVC_INTERNAL_PORT',
  })
}
