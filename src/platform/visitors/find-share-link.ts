/** The share link that a visitor has opened. */
import { hash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { shareLinks } from '../../stores/db/schema/visitors.ts'
import { accessVersion } from '../projects/access-version.ts'

type Opened = { secret: string; host: string; projectId: string }

/** The id of the link, with the version of access and the end of a visit; undefined if there is none here. */
export async function findShareLink(
  db: Database,
  { secret, host, projectId }: Opened,
  nowMs: number,
): Promise<{ subject: string; accessVersion: number; expiryMs: number } | undefined> {
  const [link] = await db
    .select({ subject: shareLinks.id, accessVersion, expiryMs: shareLinks.expiresMs })
    .from(shareLinks)
    .innerJoin(projects, eq(projects.id, shareLinks.projectId))
    .innerJoin(teams, eq(teams.id, projects.teamId))
    .where(
      and(
        eq(shareLinks.secretSha256, hash('sha256', secret)),
        eq(shareLinks.host, host),
        eq(shareLinks.projectId, projectId),
        gt(shareLinks.expiresMs, nowMs),
      ),
    )
  return link
}
