/** The caller's team at a glance, and who the caller is. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Principal, Role } from '../auth/principal.ts'
import { domains } from '../db/schema/domains.ts'
import { projects } from '../db/schema/projects.ts'
import { webhooks } from '../db/schema/webhooks.ts'
import type { Store } from '../db/store.ts'
import { listDeployments } from '../deployments/list.ts'
import type { DeploymentRecord } from '../deployments/read.ts'
import type { Plan } from '../limits/plan.ts'
import { countDeployments, type StateCounts } from './deployment-counts.ts'
import { readLastDay } from './metrics/metrics.ts'

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
  deployments: { total: number; by_state: StateCounts }
  domains: { total: number; verified: number }
  webhooks: number
  /** What the edge answered for the team's projects in the last 24 hours. */
  requests_24h: number
  bytes_24h: number
  errors_24h: number
  recent_deployments: DeploymentRecord[]
  credential: CredentialRecord
  rate_limit: { per_second: number; burst: number; remaining: number }
}

const recent = 5

/** The overview of the caller's team; `limit` is how often it may call, and how many calls it has left. */
export async function readOverview(
  deps: { store: Store; sitesUrl: string; nowMs: () => number },
  principal: Principal,
  limit: { perSecond: number; burst: number; remaining: number },
): Promise<Overview> {
  const { teamId, teamSlug, plan } = principal
  const { db } = deps.store
  const claims = eq(domains.teamId, teamId)
  const [projectCount, domainCount, verifiedCount, webhookCount, byState, lastDay, page] = await Promise.all([
    db.$count(projects, eq(projects.teamId, teamId)),
    db.$count(domains, claims),
    db.$count(domains, and(claims, isNotNull(domains.verifiedMs))),
    db.$count(webhooks, eq(webhooks.teamId, teamId)),
    countDeployments(deps.store, teamId),
    readLastDay(db, teamId, deps.nowMs()),
    listDeployments(deps, teamId, { limit: recent }),
  ])
  return {
    team: teamSlug,
    plan,
    projects: projectCount,
    deployments: {
      total: Object.values(byState).reduce((sum, each) => sum + each, 0),
      by_state: byState,
    },
    domains: { total: domainCount, verified: verifiedCount },
    webhooks: webhookCount,
    requests_24h: lastDay.requests,
    bytes_24h: lastDay.bytes,
    errors_24h: lastDay.errors,
    recent_deployments: page.data,
    credential: describeCredential(principal),
    rate_limit: { per_second: limit.perSecond, burst: limit.burst, remaining: limit.remaining },
  }
}

function describeCredential(principal: Principal): CredentialRecord {
  const { kind, role } = principal
  if (kind === 'key') return { kind, prefix: principal.prefix, role, expires_ms: null }
  return { kind, prefix: null, role, expires_ms: principal.expiresMs }
}
