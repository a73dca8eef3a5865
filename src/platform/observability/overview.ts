/** The caller's team at a glance, and who the caller is. */

import type { StorageLimits } from '../../stores/blobs/quota.ts'
import { readUsedBytes } from '../../stores/blobs/used-bytes.ts'
import type { Database } from '../../stores/db/database.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Principal } from '../callers/principal.ts'
import type { Scope } from '../callers/scope.ts'
import { sumDeployedBytes } from '../deployments/deployed-bytes.ts'
import { listDeployments } from '../deployments/list-deployments.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { readLastDay } from './metrics/metrics.ts'
import type { Overview } from './overview-output.ts'
import { countOfTeam } from './team-counts.ts'

const recent = 5

/** The overview of what the caller sees of its team; `limit` is its rate limit, with what remains of it. */
export async function readOverview(
  deps: SiteUrls & { store: Store; storage: StorageLimits; nowMs: () => number },
  principal: Principal,
  limit: { perSecond: number; burst: number; remaining: number },
): Promise<Overview> {
  const { teamSlug, plan } = principal
  const { store, nowMs } = deps
  const [counts, lastDay, page, usedBytes] = await Promise.all([
    countOfTeam(store, principal),
    readLastDay(store.db, principal, nowMs()),
    listDeployments(deps, principal, { limit: recent }),
    usedBytesOf(store.db, principal),
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

/** The bytes of what a limited member sees, without regard to files that deployments share. */
function usedBytesOf(db: Database, { teamId, projects }: Scope): Promise<number> {
  return projects === null ? readUsedBytes(db, teamId) : sumDeployedBytes(db, projects)
}

function describeCredential(principal: Principal): Overview['credential'] {
  const { kind, role } = principal
  if (kind === 'key') return { kind, prefix: principal.prefix, role, expires_ms: principal.keyLimits.endsMs }
  return { kind: kind === 'workload' ? 'jwt' : kind, prefix: null, role, expires_ms: principal.expiresMs }
}
