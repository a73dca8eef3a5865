/** Names the first team after its owner, who has an address now. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { members, teams } from '../../stores/db/schema/teams.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { teamNameFor, unnamedTeam } from './team-name.ts'

/** Renames the person's own team, unless it was given a name before. */
export async function nameFirstTeam(
  tx: Transaction,
  { id, email }: { id: string; email: string },
  nowMs: number,
): Promise<void> {
  const own = tx
    .select({ id: members.teamId })
    .from(members)
    .where(and(eq(members.userId, id), eq(members.role, 'owner')))
  const [team] = await tx
    .update(teams)
    // Strictly increasing, so that it identifies a state of the team.
    .set({
      name: teamNameFor({ email, name: email }),
      updatedMs: sql`greatest(${nowMs}::bigint, ${teams.updatedMs} + 1)`,
    })
    .where(and(inArray(teams.id, own), teams.personal, eq(teams.name, unnamedTeam)))
    .returning({ id: teams.id, slug: teams.slug, name: teams.name })
  if (!team) return
  tx.announce({ kind: 'team', id: team.id })
  await recordEvents(tx, { origin: null, nowMs }, [
    {
      teamId: team.id,
      type: 'team.updated',
      data: { team, changed: ['name'], changes: [changeOf('name', unnamedTeam, team.name)] },
    },
  ])
}
