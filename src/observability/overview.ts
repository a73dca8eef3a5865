/** The caller's team at a glance, and who the caller is. */
import type { Principal, Role } from '../auth/principal.ts'
import type { StorageLimits } from '../blobs/quota.ts'
import { readUsedBytes } from '../blobs/used-bytes.ts'
import type { Store } from '../db/store.ts'
import { listDeployments } from '../deployments/list.ts'
import type { DeploymentRecord } from '../deployments/read.ts'
import type { State } from '../deployments/state.ts'
import type { Plan } from '../limits/plan.ts'
import { readLastDay } from './metrics/metrics.ts'
import { countOfTeam } from './team-counts.ts'

/** What a caller may know of its own credential. `expires_ms` is null for one that doesn't expire. */
type CredentialRecord = {
  kind: Principal['kind']
  prefix: string | null
  role: Role
  expires_ms: number | null
}

export type Overview = {
  team: string
  plan: Plan
  projects: number
  deployments: { total: number; by_state: Record<State, number> }
  domains: { total: number; verified: number }
  webhooks: number
  /** What the edge answered for the team's projects in the last 24 hours. */
  requests_24h: number
  bytes_24h: number
  errors_24h: number
  recent_deployments: DeploymentRecord[]
  credential: CredentialRecord
  rate_limit: { per_second: number; burst: number; remaining: number }
  /** `limit_bytes` is null where there is none. */
  storage: { used_bytes: number; limit_bytes: number | null }
}

const recent = 5

/** The overview of the caller's team; `limit` is how often it may call, and how many calls it has left. */
export async function readOverview(
  deps: { store: Store; sitesUrl: string; storage: StorageLimits; nowMs: () => number },
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

function describeCredential(principal: Principal): CredentialRecord {
  const { kind, role } = principal
  if (kind === 'key') return { kind, prefix: principal.prefix, role, expires_ms: null }
  return { kind, prefix: null, role, expires_ms: principal.expiresMs }
}
