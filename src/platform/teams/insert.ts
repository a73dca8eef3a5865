/** Inserts a team together with its first owner. */

import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { storage } from '../../stores/db/schema/storage.ts'
import { members, teams } from '../../stores/db/schema/teams.ts'

/** Inserts a team owned by the user; returns the team's id. */
export async function insertTeamOf(
  tx: Database,
  { ownerId, ...team }: { slug: string; name: string; personal: boolean; ownerId: string },
  nowMs: number,
): Promise<string> {
  const id = newId('team', nowMs)
  await tx.insert(teams).values({ id, ...team, createdMs: nowMs, updatedMs: nowMs })
  await tx.insert(members).values({ teamId: id, userId: ownerId, role: 'owner', joinedMs: nowMs })
  await tx.insert(storage).values({ teamId: id, usedBytes: 0 })
  return id
}
