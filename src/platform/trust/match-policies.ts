/** The match of an identity token with the trust policies of a project. */
import { and, eq, or } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { trustPolicies } from '../../stores/db/schema/trust-policies.ts'
import { makerColumns, makerEndReason, ofMaker, policyNeed } from '../callers/maker-right.ts'
import type { WorkloadPrincipal } from '../callers/principal.ts'
import { identityRefused } from '../callers/unauthorized.ts'
import type { Identity } from '../callers/workloads/identities.ts'
import { identityEndMs } from '../callers/workloads/lifetime.ts'
import { branchOfRef } from '../callers/workloads/ref-branch.ts'

/** The team and project that the token is sent for, each by name or id. */
export type Place = { team: string; project: string }

/**
 * The caller that the project's policies make of the identity: of those that match, the one that allows most.
 * @throws AppError `not_trusted`, the same without such a team or project, `unauthorized` for a token whose
 * time is over.
 */
export async function matchPolicies(
  db: Database,
  identity: Identity,
  { team, project }: Place,
  nowMs: number,
): Promise<WorkloadPrincipal> {
  const expiresMs = identityEndMs(identity.issuedMs)
  if (expiresMs <= nowMs) throw identityRefused('is too old: request another one')
  const rows = await db
    .select({
      policy: trustPolicies,
      teamSlug: teams.slug,
      plan: teams.plan,
      ...makerColumns,
    })
    .from(trustPolicies)
    .innerJoin(members, ofMaker(trustPolicies))
    .innerJoin(teams, eq(teams.id, trustPolicies.teamId))
    .innerJoin(projects, eq(projects.id, trustPolicies.projectId))
    .where(
      and(
        or(eq(teams.slug, team), eq(teams.id, team)),
        eq(isId('project', project) ? projects.id : projects.name, project),
        eq(trustPolicies.issuer, identity.issuer),
      ),
    )
    .orderBy(trustPolicies.createdMs, trustPolicies.id)
  const [found] = rows
    .filter((row) => !makerEndReason(row, policyNeed(row.policy.projectId)) && isMet(row.policy, identity))
    .sort(({ policy: one }, { policy: other }) => allowance(other) - allowance(one))
  if (!found) throw notTrusted()
  const { policy, teamSlug, plan } = found
  return {
    kind: 'workload',
    presented: 'identity',
    userId: policy.createdBy,
    teamId: policy.teamId,
    teamSlug,
    plan,
    role: 'member',
    projects: [policy.projectId],
    policyId: policy.id,
    issuer: policy.issuer,
    targets: policy.targets,
    boundTo: policy.bindBranch ? branchOfRef(identity.claims) : undefined,
    expiresMs,
  }
}

/** Targets first: of policies for the same, one that binds no branch allows more. */
function allowance({ targets, bindBranch }: typeof trustPolicies.$inferSelect): number {
  return 2 * targets.length + (bindBranch ? 0 : 1)
}

/** Whether the token has each claim of the policy, with the same text; lists and objects match none. */
function isMet({ claims }: { claims: Record<string, string> }, identity: Identity): boolean {
  return Object.entries(claims).every(([name, wanted]) => {
    const value = Object.hasOwn(identity.claims, name) ? identity.claims[name] : undefined
    return ['string', 'number', 'boolean'].includes(typeof value) && String(value) === wanted
  })
}

function notTrusted(): AppError {
  return new AppError(
    'not_trusted',
    'No trust policy of such a project matches the claims of the identity token. ' +
      'An owner of the team makes one with `svc trust add`.',
  )
}
