/** The caller's team at a glance, and who the caller is. */

import type { StorageLimits } from '../../stores/blobs/quota.ts'
import { readUsedBytes } from '../../stores/blobs/used-bytes.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Principal } from '../auth/principal.ts'
import { listDeployments } from '../deployments/list.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { readLastDay } from './metrics/metrics.ts'
import type { Overview } from './output.ts'
import { countOfTeam } from './team-counts.ts'

const recent = 5

/** The overview of the caller's team; `limit` is its rate limit, with what remains of it. */
export async function readOverview(
  deps: SiteUrls & { store: Store; storage: StorageLimits; nowMs: () => number },
  principal: Principal,
  limit: { perSecond: number; burst: number; remaining: number },
): Promise<Overview> {
  const { teamId, teamSlug, plan } = principal
  const { store, nowMs } = deps
  const [counts, lastDay, page, usedBytes] = await Promise.all([
    countOfTeam(store, teamId),
    readLastDay(store.db, teamId, nowMs()),
    listDeployments(deps, teamId, { limit: recent }),
    readUsedBytes(store.db, teamId),
  ])
  const { projects, webhooks, verified, unverified, ...byState } = counts
  return {
    team: teamSlug,
    plan,
    projects,
    deployments: {
      total: Object.values(byState).reduce((sum, each) => sum + each, 0),
      by_state: byState,
    },
    domains: { total: verified + unverified, verified },
    webhooks,
    requests_24h: lastDay.requests,
    bytes_24h: lastDay.bytes,
    errors_24h: lastDay.errors,
    recent_deployments: page.data,
    credential: describeCredential(principal),
    rate_limit: { per_second: limit.perSecond, burst: limit.burst, remaining: limit.remaining },
    storage: { used_bytes: usedBytes, limit_bytes: deps.storage[plan] || null },
  }
}

function describeCredential(principal: Principal): Overview['credential'] {
  const { kind, role } = principal
  if (kind === 'key') return { kind, prefix: principal.prefix, role, expires_ms: null }
  return { kind, prefix: null, role, expires_ms: principal.expiresMs }
}
