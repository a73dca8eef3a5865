/** Sets a team's plan straight in the database, for when no node runs on the data directory. */
import { setPlan } from './auth/teams/plan.ts'
import type { TeamPlan } from './data-dir/admin-protocol.ts'
import { openInstallation } from './installation.ts'
import type { Settings } from './settings.ts'

/** @throws AppError `team_not_found`, and as `openInstallation` does. */
export async function setPlanDirectly(settings: Settings, change: TeamPlan): Promise<TeamPlan> {
  const { store, close } = await openInstallation(settings)
  try {
    return await setPlan(store, change)
  } finally {
    await close()
  }
}
