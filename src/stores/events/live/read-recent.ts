/** Reads the latest events of a team. */
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { newId } from '../../../lib/ids.ts'
import type { LoggedType } from '../../../lib/names/event-types.ts'
import { prepared } from '../../db/prepared.ts'
import { events } from '../../db/schema/events.ts'
import { deployments } from '../../db/schema/projects.ts'
import type { Store } from '../../db/store.ts'
import type { LiveEvent } from './messages.ts'

/** The most events in one answer. */
const maxRecent = 1_000

/** An event and what it is known by: a build has no row in the log when it begins. */
export type Recent = LiveEvent & { key: string }

const logged = prepared((db) =>
  db
    .select({
      id: events.id,
      type: sql<LoggedType>`${events.type}`,
      project: events.projectId,
      deployment: events.deploymentId,
      domain: sql<
        string | null
      >`coalesce(${events.data} #>> '{domain,domain}', ${events.data} #>> '{record,domain}')`,
      created_ms: events.createdMs,
    })
    .from(events)
    .where(and(eq(events.teamId, sql.placeholder('team')), gt(events.createdMs, sql.placeholder('sinceMs'))))
    .orderBy(desc(events.createdMs), desc(events.id))
    .limit(maxRecent + 1)
    .prepare('recent_events'),
)

const begun = prepared((db) =>
  db
    .select({
      project: deployments.projectId,
      deployment: deployments.id,
      created_ms: deployments.buildingMs,
    })
    .from(deployments)
    .where(
      and(
        eq(deployments.teamId, sql.placeholder('team')),
        // Both, for the index.
        inArray(deployments.target, ['production', 'preview']),
        eq(deployments.state, 'building'),
        gt(deployments.buildingMs, sql.placeholder('sinceMs')),
      ),
    )
    .limit(maxRecent)
    .prepare('recent_builds'),
)

/**
 * The team's events after `sinceMs`, oldest first, with builds that have begun and not ended;
 * undefined if that is more than 1,000 events.
 */
export async function readRecent(
  { db }: Pick<Store, 'db'>,
  team: string,
  sinceMs: number,
): Promise<Recent[] | undefined> {
  const [rows, builds] = await Promise.all([
    logged(db).execute({ team, sinceMs }),
    begun(db).execute({ team, sinceMs }),
  ])
  if (rows.length > maxRecent) return undefined
  const recent = [
    ...rows.reverse().map(({ id, ...message }) => ({ key: id, id, message })),
    ...builds.flatMap(({ created_ms, ...of }) =>
      created_ms === null ? [] : [beginning({ ...of, created_ms })],
    ),
  ]
  return recent.sort((a, b) => a.message.created_ms - b.message.created_ms)
}

function beginning(of: { project: string; deployment: string; created_ms: number }): Recent {
  return {
    key: `${of.deployment} ${of.created_ms}`,
    id: newId('event', of.created_ms),
    message: { type: 'deployment.building', ...of, domain: null },
  }
}
