/** The current permissions of a JWT that an identity token was exchanged for: those of its trust policy. */
import { and, eq, sql } from 'drizzle-orm'
import { prepared } from '../../../stores/db/prepared.ts'
import { members, teams } from '../../../stores/db/schema/teams.ts'
import { trustPolicies } from '../../../stores/db/schema/trust-policies.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Claims } from '../jwt/claims.ts'
import { makerColumns, makerEndReason, ofMaker, policyNeed } from '../maker-right.ts'
import type { WorkloadPrincipal } from '../principal.ts'

const policyQuery = prepared((db) =>
  db
    .select({
      teamSlug: teams.slug,
      plan: teams.plan,
      ...makerColumns,
      projectId: trustPolicies.projectId,
      issuer: trustPolicies.issuer,
      targets: trustPolicies.targets,
      bindBranch: trustPolicies.bindBranch,
    })
    .from(trustPolicies)
    .innerJoin(members, ofMaker(trustPolicies))
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(
      and(
        eq(trustPolicies.id, sql.placeholder('policyId')),
        eq(members.teamId, sql.placeholder('teamId')),
        eq(members.userId, sql.placeholder('userId')),
      ),
    )
    .prepare('find_workload'),
)

/**
 * The caller of a JWT with these claims; undefined if the policy has ended, or its maker is no owner any
 * more.
 */
export async function findWorkload(
  store: Store,
  { sub: userId, tenant: teamId, branch, exp }: Claims,
  policyId: string,
): Promise<WorkloadPrincipal | undefined> {
  const [row] = await policyQuery(store.lookUps).execute({ policyId, teamId, userId })
  if (!row || makerEndReason(row, policyNeed(row.projectId))) return undefined
  const { teamSlug, plan, projectId, issuer, targets, bindBranch } = row
  return {
    kind: 'workload',
    presented: 'jwt',
    userId,
    teamId,
    teamSlug,
    plan,
    role: 'member',
    projects: [projectId],
    policyId,
    issuer,
    targets,
    boundTo: bindBranch ? (branch ?? null) : undefined,
    expiresMs: exp * 1_000,
  }
}
