/** Writes lines of any teams to the log. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { logLines } from '../../../stores/db/schema/logs.ts'
import { teams } from '../../../stores/db/schema/teams.ts'

type Kind = (typeof logLines.$inferInsert)['kind']

/** A line as it is stored, without its kind. */
export type WrittenLine = {
  teamId: string
  projectId: string
  deploymentId: string | null
  level: 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
  timeMs: number
}

/** Writes all of them, in order, or none; except lines of deleted teams, which are left out. */
export async function writeLines(db: Database, kind: Kind, lines: WrittenLine[]): Promise<void> {
  const rows = lines.map(({ teamId, projectId, deploymentId, timeMs, ...fields }) => ({
    team_id: teamId,
    project_id: projectId,
    deployment_id: deploymentId,
    time_ms: timeMs,
    ...fields,
  }))
  const teamIds = [...new Set(lines.map(({ teamId }) => teamId))].sort().join(',')
  // The lock makes it wait for a concurrent deletion of the team with its lines.
  await db.execute(sql`
    with kept as materialized (
      select ${teams.id} from ${teams}
      where ${teams.id} = any(string_to_array(${teamIds}, ',')) and ${teams.deletedMs} is null
      order by ${teams.id} for key share
    )
    insert into ${logLines} (team_id, kind, level, project_id, deployment_id, message, fields, time_ms)
    select kept.id, ${kind}, line ->> 'level', line ->> 'project_id', line ->> 'deployment_id',
      line ->> 'message', line -> 'fields', (line ->> 'time_ms')::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as lines (line, place)
    join kept on kept.id = line ->> 'team_id'
    order by place`)
}
