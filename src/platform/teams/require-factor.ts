/** Makes a team require a second factor of the sessions that act in it. */
import { eq } from 'drizzle-orm'
import { teams } from '../../stores/db/schema/teams.ts'
import type { Store } from '../../stores/db/store.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { raiseAccessVersion } from '../callers/access-version.ts'
import { holdCredential } from '../callers/hold-caller.ts'
import { factorRequired } from '../callers/require-factor.ts'
import type { TeamCaller } from './caller.ts'
import { lockOwnedTeam } from './lock-owned.ts'
import { getTeam } from './read-team.ts'
import type { TeamRecord } from './team-output.ts'

/**
 * Sets whether it does, for owners; other sessions are refused within a second. A session without a second
 * factor can't require one: it would lock itself out.
 * @throws AppError `unauthorized`, `team_not_found`, `role_required`, `second_factor_required`.
 */
export async function requireFactorIn(
  { store, nowMs }: { store: Store; nowMs: () => number },
  caller: TeamCaller,
  { team: reference, required }: { team: string; required: boolean },
): Promise<TeamRecord> {
  await store.transact(async (tx) => {
    const team = await lockOwnedTeam(tx, caller, reference, 'change it')
    await holdCredential(tx, caller.credential)
    if (!caller.hasFactor) throw factorRequired(team.slug)
    if (team.factorRequired === required) return
    const { id, slug, name } = team
    await tx.update(teams).set({ secondFactorRequired: required }).where(eq(teams.id, id))
    await raiseAccessVersion(tx, id)
    const field = 'second_factor_required'
    const changes = [changeOf(field, team.factorRequired, required)]
    const data = { team: { id, slug, name }, changed: [field], changes }
    const updated = { teamId: id, type: 'team.updated' as const, data }
    await recordEvents(tx, { origin: caller.origin, nowMs: nowMs() }, [updated])
  })
  return getTeam(store, caller, reference)
}
