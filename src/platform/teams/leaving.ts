/** The list of what ends with a membership, and of what goes on, for owners who are about to end it. */
import { and, desc, eq, gt, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { deployHooks } from '../../stores/db/schema/deploy-hooks.ts'
import { invitationLinks } from '../../stores/db/schema/invitations.ts'
import { apiKeys } from '../../stores/db/schema/keys.ts'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import { trustPolicies } from '../../stores/db/schema/trust-policies.ts'
import { shareLinks } from '../../stores/db/schema/visitors.ts'
import type { Store } from '../../stores/db/store.ts'
import { requireOwner } from '../callers/roles.ts'
import type { TeamCaller } from './caller.ts'
import { readMembers } from './members.ts'
import { getTeam } from './read-team.ts'
import type { LeavingInput } from './team-input.ts'
import type { Leaving } from './team-output.ts'

/** The most names of each kind, which are the newest. */
const maxNames = 20

const total = sql<number>`(count(*) over ())::int`

/**
 * Resolves to all that acts in the member's name in the team: it ends when the member is removed, but for
 * connections to repositories. Without an address, that of all members without one. For owners.
 * @throws AppError `team_not_found`, `second_factor_required`, `role_required`, `invalid_input` for an
 * address that is no member's.
 */
export async function listLeaving(
  { store, nowMs }: { store: Store; nowMs: () => number },
  caller: TeamCaller,
  { team: reference, email }: LeavingInput,
): Promise<Leaving> {
  const { db } = store
  const team = await getTeam(store, caller, reference)
  requireOwner(team, 'see what ends with its members')
  const people = await readMembers(db, team.id)
  const userIds = people.filter((member) => member.email === email).map(({ userId }) => userId)
  if (userIds.length === 0) throw invalidField('email', 'belongs to no member of this team')
  const by = { db, teamId: team.id, userIds, nowMs: nowMs() }
  return {
    keys: ends(await keysOf(by)),
    share_links: ends(await shareLinksOf(by)),
    deploy_hooks: ends(await hooksOf(by)),
    trust_policies: ends(await policiesOf(by)),
    invitation_links: ends(await invitationLinksOf(by)),
    repositories: ends(await repositoriesOf(by)),
    builds: ends(await buildsOf(by)),
  }
}

type By = { db: Database; teamId: string; userIds: string[]; nowMs: number }

function ends(rows: { name: string; total: number }[]): Leaving['keys'] {
  return { count: rows[0]?.total ?? 0, names: rows.map(({ name }) => name) }
}

/** A name behind that of its project. */
function named(name: SQL): SQL<string> {
  return sql<string>`${projects.name} || ': ' || ${name}`
}

function keysOf({ db, teamId, userIds }: By) {
  return db
    .select({ name: apiKeys.name, total })
    .from(apiKeys)
    .where(and(eq(apiKeys.teamId, teamId), inArray(apiKeys.userId, userIds)))
    .orderBy(desc(apiKeys.createdMs))
    .limit(maxNames)
}

function shareLinksOf({ db, teamId, userIds, nowMs }: By) {
  return db
    .select({ name: named(sql`${shareLinks.host}`), total })
    .from(shareLinks)
    .innerJoin(projects, eq(projects.id, shareLinks.projectId))
    .where(
      and(
        inArray(shareLinks.createdBy, userIds),
        eq(projects.teamId, teamId),
        gt(shareLinks.expiresMs, nowMs),
      ),
    )
    .orderBy(desc(shareLinks.createdMs))
    .limit(maxNames)
}

function hooksOf({ db, teamId, userIds }: By) {
  return db
    .select({ name: named(sql`${deployHooks.name}`), total })
    .from(deployHooks)
    .innerJoin(projects, eq(projects.id, deployHooks.projectId))
    .where(and(eq(deployHooks.teamId, teamId), inArray(deployHooks.createdBy, userIds)))
    .orderBy(desc(deployHooks.createdMs))
    .limit(maxNames)
}

function policiesOf({ db, teamId, userIds }: By) {
  return db
    .select({ name: named(sql`${trustPolicies.issuer}`), total })
    .from(trustPolicies)
    .innerJoin(projects, eq(projects.id, trustPolicies.projectId))
    .where(and(eq(trustPolicies.teamId, teamId), inArray(trustPolicies.createdBy, userIds)))
    .orderBy(desc(trustPolicies.createdMs))
    .limit(maxNames)
}

function invitationLinksOf({ db, teamId, userIds, nowMs }: By) {
  return db
    .select({ name: invitationLinks.email, total })
    .from(invitationLinks)
    .where(
      and(
        eq(invitationLinks.teamId, teamId),
        inArray(invitationLinks.createdBy, userIds),
        gt(invitationLinks.expiresMs, nowMs),
      ),
    )
    .orderBy(desc(invitationLinks.createdMs))
    .limit(maxNames)
}

/** Projects whose pushes at a forge are deployed in the member's name, also afterwards. */
function repositoriesOf({ db, teamId, userIds }: By) {
  return db
    .select({ name: projects.name, total })
    .from(projectRepositories)
    .innerJoin(projects, eq(projects.id, projectRepositories.projectId))
    .where(and(inArray(projectRepositories.connectedBy, userIds), eq(projects.teamId, teamId)))
    .orderBy(projects.name)
    .limit(maxNames)
}

function buildsOf({ db, teamId, userIds }: By) {
  return db
    .select({ name: named(sql`${deployments.id}`), total })
    .from(deployments)
    .innerJoin(projects, eq(projects.id, deployments.projectId))
    .where(
      and(
        eq(deployments.teamId, teamId),
        // Literal, to match the partial index.
        sql`${deployments.state} in ('queued', 'building')`,
        or(ne(deployments.sourceKind, 'forge'), deployments.untrusted),
        inArray(deployments.createdBy, userIds),
      ),
    )
    .orderBy(desc(deployments.createdMs), desc(deployments.id))
    .limit(maxNames)
}
