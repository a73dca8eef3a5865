/** A team's plan, which only the operator sets. */
import { and, eq, isNull } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import type { Plan } from '../../lib/plan.ts'
import { teams } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { unknownTeam } from '../callers/team-not-found.ts'

/**
 * Sets the plan of the team by slug or id, and returns it with the slug.
 * @throws AppError `team_not_found`.
 */
export async function setPlan(
  { store, nowMs }: { store: Store; nowMs: () => number },
  { team: reference, plan }: { team: string; plan: Plan },
): Promise<{ team: string; plan: Plan }> {
  const column = isId('team', reference) ? teams.id : teams.slug
  return store.transact(async (tx) => {
    const [team] = await tx
      .select({ id: teams.id, slug: teams.slug, name: teams.name, plan: teams.plan })
      .from(teams)
      .where(and(eq(column, reference), isNull(teams.deletedMs)))
      .for('no key update')
    if (!team) throw unknownTeam(reference)
    const { id, slug, name, plan: before } = team
    if (before === plan) return { team: slug, plan }
    await tx.update(teams).set({ plan }).where(eq(teams.id, id))
    tx.announce({ kind: 'team', id })
    const changes = [changeOf('plan', before, plan)]
    const data = { team: { id, slug, name }, changed: ['plan'], changes, by: 'operator' as const }
    await recordEvents(tx, { origin: null, nowMs: nowMs() }, [{ teamId: id, type: 'team.updated', data }])
    return { team: slug, plan }
  })
}
