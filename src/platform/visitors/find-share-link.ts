/** The share link that a visitor has opened. */
import { hash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'
import { shareLinks } from '../../stores/db/schema/visitors.ts'
import { makerColumns, makerEndReason, ofMaker } from '../callers/maker-right.ts'
import { accessVersion } from '../projects/access-version.ts'

type Opened = { secret: string; host: string; projectId: string }

/**
 * The id of the link, with the version of access and the end of a visit; undefined if there is none here, or
 * whoever made it doesn't see the project any more.
 */
export async function findShareLink(
  db: Database,
  { secret, host, projectId }: Opened,
  nowMs: number,
): Promise<{ subject: string; accessVersion: number; expiryMs: number } | undefined> {
  const [link] = await db
    .select({ subject: shareLinks.id, accessVersion, expiryMs: shareLinks.expiresMs, ...makerColumns })
    .from(shareLinks)
    .innerJoin(projects, eq(projects.id, shareLinks.projectId))
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .innerJoin(members, ofMaker({ teamId: projects.teamId, createdBy: shareLinks.createdBy }))
    .where(
      and(
        eq(shareLinks.secretSha256, hash('sha256', secret)),
        eq(shareLinks.host, host),
        eq(shareLinks.projectId, projectId),
        gt(shareLinks.expiresMs, nowMs),
      ),
    )
  if (!link || makerEndReason(link, { role: 'member', projectId })) return undefined
  const { makerRole: _, makerProjects: __, ...opened } = link
  return opened
}
