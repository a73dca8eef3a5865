/** Limits members of teams in tests, as whoever owns the team would. */
import { and, eq } from 'drizzle-orm'
import type { KeyLimits } from '../../src/platform/callers/principal.ts'
import { memberProjects } from '../../src/stores/db/schema/member-projects.ts'
import { members } from '../../src/stores/db/schema/teams.ts'
import type { Api } from './api.ts'
import type { TestNode } from './node.ts'
import { addMember, type TestTeam } from './team.ts'

/** Of a key that has none. */
export const noKeyLimits: KeyLimits = { endsMs: null, isScoped: false, readOnly: false }

/** Limits a member to these projects, by id; null lifts the limit. */
export async function limitMember(
  node: TestNode,
  team: TestTeam,
  userId: string,
  projectIds: string[] | null,
): Promise<void> {
  await node.installation.store.transact(async (tx) => {
    const ofMember = and(eq(memberProjects.teamId, team.id), eq(memberProjects.userId, userId))
    await tx
      .update(members)
      .set({ limited: projectIds !== null })
      .where(and(eq(members.teamId, team.id), eq(members.userId, userId)))
    await tx.delete(memberProjects).where(ofMember)
    const rows = (projectIds ?? []).map((projectId) => ({ teamId: team.id, userId, projectId }))
    if (rows.length > 0) await tx.insert(memberProjects).values(rows)
    tx.announce({ kind: 'member', id: userId })
  })
}

/** Adds a member of the team that is limited to these projects, by id, with a key. */
export async function addLimited(
  node: TestNode,
  team: TestTeam,
  projectIds: string[],
): Promise<{ userId: string; key: string; api: Api }> {
  const member = await addMember(node, team)
  await limitMember(node, team, member.userId, projectIds)
  return member
}

type Limits = {
  name?: string
  role?: 'owner' | 'member'
  projects?: string[]
  expires_ms?: number
  read_only?: boolean
}

/** A key of the team's owner, or of whoever has `api`, with these limits. */
export async function newLimitedKey(
  { owner }: Pick<TestTeam, 'owner'>,
  limits: Limits,
): Promise<{ id: string; key: string }> {
  const { status, body } = await owner('POST', '/trpc/tokens.createLimitedKey', {
    name: 'limited',
    ...limits,
  })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  const { id, token } = body.result.data
  return { id, key: token }
}
