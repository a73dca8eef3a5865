/** Lines of the log about what came by git: pushes, and what forges sent. */
import { sql } from 'drizzle-orm'
import { toPrintable } from '../../lib/names/printable.ts'
import type { Database } from '../../stores/db/database.ts'
import { logLines } from '../../stores/db/schema/logs.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import { maxBranchBytes } from '../projects/branch-label.ts'

/** A push or a delivery, as far as it is known. `event` is the forge's name of it, `delivery` our id. */
export type Came = {
  event: string
  branch?: string | null | undefined
  commit?: string | null
  pullRequest?: number | null
  delivery?: string
}

/** `outcome` is what came of it, in a sentence. */
export type GitLine = {
  level: 'info' | 'warn' | 'error'
  came: Came
  outcome: string
  deploymentId?: string | null | undefined
}

type Owner = { teamId: string; projectId: string }

/** The most lines of a team within an hour; the last one says that others are left out. */
export const maxLinesPerHour = 2_000

const hourMs = 60 * 60_000

/** In UTF-16 code units. */
const maxMessage = 1_500

const shortCommit = 7

/**
 * Adds lines to the log of a project, at most 2,000 an hour of a team. Names by strangers are printable and
 * bounded. None is written while the team is being deleted.
 */
export async function logGit(
  db: Database,
  { teamId, projectId }: Owner,
  lines: GitLine[],
  nowMs: number,
): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ level, came, outcome, deploymentId }) => ({
    level,
    message: messageOf(came, deploymentId ? `${outcome} It is ${deploymentId}.` : outcome),
    deployment_id: deploymentId ?? null,
    fields: fieldsOf(came),
  }))
  const most = sql.raw(String(maxLinesPerHour))
  // Who deletes the team locks it, and then the project, which the caller may have locked.
  await db.execute(sql`
    with kept as materialized (
      select ${teams.id} from ${teams}
      where ${teams.id} = ${teamId} and ${teams.deletedMs} is null for key share skip locked
    ), room as materialized (
      select kept.id, ${most} - (
        select count(*) from (
          select from ${logLines}
          where ${logLines.teamId} = kept.id and ${logLines.kind} = 'git'
            and ${logLines.level} in ('info', 'warn', 'error')
            and ${logLines.timeMs} > ${nowMs - hourMs}::bigint
          limit ${most}) as latest) as free
      from kept
    )
    insert into ${logLines} (team_id, kind, level, project_id, deployment_id, message, fields, time_ms)
    select room.id, 'git', line ->> 'level', ${projectId}, line ->> 'deployment_id',
      (line ->> 'message') || case when place = room.free then ${leftOut}::text else '' end,
      line -> 'fields', ${nowMs}::bigint
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as lines (line, place)
    join room on place <= room.free
    order by place`)
}

const leftOut = ' Too many lines about git within an hour: further ones are left out.'

function messageOf({ event, branch, commit, pullRequest }: Came, outcome: string): string {
  const came = [
    event,
    pullRequest ? `pull request ${pullRequest}` : '',
    branch ? `branch ${nameOf(branch)}` : '',
    commit ? `commit ${commit.slice(0, shortCommit)}` : '',
  ]
  return lineOf(`${came.filter(Boolean).join(', ')}: ${outcome}`, maxMessage)
}

function fieldsOf({ event, branch, commit, pullRequest, delivery }: Came): Record<string, unknown> {
  return {
    event,
    ...(branch && { branch: nameOf(branch) }),
    ...(commit && { commit }),
    ...(pullRequest && { pull_request: pullRequest }),
    ...(delivery && { delivery }),
  }
}

function nameOf(branch: string): string {
  return lineOf(branch, maxBranchBytes)
}

function lineOf(text: string, max: number): string {
  return toPrintable(text.slice(0, 2 * max).replaceAll(/\s+/g, ' '))
    .slice(0, max)
    .toWellFormed()
}
