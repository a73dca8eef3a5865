/** A team's plan, which only the operator sets. */
import { and, eq, isNull } from 'drizzle-orm'
import { AppError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Plan } from '../../../lib/plan.ts'
import { teams } from '../../../stores/db/schema/teams.ts'
import type { Store } from '../../../stores/db/store.ts'

/**
 * Sets the plan of the team by slug or id, and returns it with the slug.
 * @throws AppError `team_not_found`.
 */
export async function setPlan(
  store: Store,
  { team: reference, plan }: { team: string; plan: Plan },
): Promise<{ team: string; plan: Plan }> {
  const column = isId('team', reference) ? teams.id : teams.slug
  return store.transact(async (tx) => {
    const [team] = await tx
      .update(teams)
      .set({ plan })
      .where(and(eq(column, reference), isNull(teams.deletedMs)))
      .returning({ id: teams.id, slug: teams.slug })
    if (!team) throw new AppError('team_not_found', `There is no team ${reference}.`)
    tx.announce({ kind: 'team', id: team.id })
    return { team: team.slug, plan }
  })
}
