/** Who may see a project's protected sites. */
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { limitedTo } from '../callers/look-ups/limited-to.ts'
import { sees } from '../callers/scope.ts'
import { accessVersion } from '../projects/access-version.ts'

/** `team` is the slug of the project's team, and whether it requires a second factor. */
export type Access = { version: number; team: { slug: string; factorRequired: boolean } }

/** The access of a person who may see the project's sites; undefined for anybody else. */
export async function accessOf(
  db: Database,
  { userId, projectId }: { userId: string; projectId: string },
): Promise<Access | undefined> {
  const [found] = await db
    .select({
      version: accessVersion,
      team: { slug: teams.slug, factorRequired: teams.secondFactorRequired },
      projects: limitedTo,
    })
    .from(projects)
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .innerJoin(members, and(eq(members.teamId, projects.teamId), eq(members.userId, userId)))
    .where(eq(projects.id, projectId))
  return found && sees(found, projectId) ? found : undefined
}

/**
 * The project whose site is at `host`: a label below the sites' domain, or a verified domain that doesn't
 * redirect, which alone has a dot.
 */
export async function projectAt(db: Database, host: string): Promise<string | undefined> {
  if (!host.includes('.')) {
    const [label] = await db.select({ projectId: hosts.projectId }).from(hosts).where(eq(hosts.label, host))
    return label?.projectId ?? undefined
  }
  const [domain] = await db
    .select({ projectId: projects.id })
    .from(domains)
    .innerJoin(projects, and(eq(projects.id, domains.projectId), eq(projects.teamId, domains.teamId)))
    .where(and(eq(domains.domain, host), isNotNull(domains.verifiedMs), isNull(domains.redirectTo)))
  return domain?.projectId
}
