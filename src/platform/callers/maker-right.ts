/**
 * The right of whoever made what acts in their name later on: a share link, a deploy hook, a trust policy,
 * the link of an invitation, a build that waits. Each is held to it at each use, as it is then.
 */
import { and, type Column, eq, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { members } from '../../stores/db/schema/teams.ts'
import { limitedTo } from './look-ups/limited-to.ts'
import type { Role } from './principal.ts'
import { sees } from './scope.ts'

/** In the order in which they are looked for. */
const makerEndReasons = ['maker_removed', 'maker_demoted', 'maker_limited'] as const

export type MakerEndReason = (typeof makerEndReasons)[number]

const sentences: Record<MakerEndReason, string> = {
  maker_removed: 'Whoever made it is not in the team any more.',
  maker_demoted: 'Whoever made it is no owner of the team any more.',
  maker_limited: 'Whoever made it does not see the project any more.',
}

/** Why something has ended before its time, in records of it. */
export const makerEndSchema = z
  .object({
    reason: z.enum(makerEndReasons).meta({
      description:
        'maker_removed, maker_demoted or maker_limited: whoever made it left the team, is no owner ' +
        'any more where that takes one, or is limited to other projects',
    }),
    message: z.string(),
  })
  .nullable()
  .default(null)
  .meta({ description: 'Why it has ended, though its time is not over; null while it acts' })

/** The record of an end. */
export type MakerEnd = z.infer<typeof makerEndSchema>

/** A query's columns of the maker's membership; null without one, where `ofMaker` left-joins it. */
export const makerColumns = { makerRole: members.role, makerProjects: limitedTo }

/** The condition for the membership of whoever made something of a team. */
export function ofMaker(made: { teamId: Column; createdBy: Column }): SQL | undefined {
  return and(eq(members.teamId, made.teamId), eq(members.userId, made.createdBy))
}

/** The maker's membership now: its role, null without one, and the ids of the projects it is limited to. */
export type Maker = { makerRole: Role | null; makerProjects: readonly string[] | null }

/** The right that making something takes: this role, and seeing the project, if it is one's. */
export type Need = { role: Role; projectId: string | null }

/** The right that making a trust policy of the project takes. */
export function policyNeed(projectId: string): Need {
  return { role: 'owner', projectId }
}

/** Why the maker may not make it any more; undefined for one who may. */
export function makerEndReason(
  { makerRole, makerProjects }: Maker,
  { role, projectId }: Need,
): MakerEndReason | undefined {
  if (makerRole === null) return 'maker_removed'
  if (role === 'owner' && makerRole !== 'owner') return 'maker_demoted'
  if (projectId !== null && !sees({ projects: makerProjects }, projectId)) return 'maker_limited'
  return undefined
}

/** The same for a record. */
export function makerEnd(maker: Maker, need: Need): MakerEnd {
  const reason = makerEndReason(maker, need)
  return reason === undefined ? null : { reason, message: sentences[reason] }
}
