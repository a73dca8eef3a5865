/** The data of events about roles and limits of members and invitations. */
import { inArray } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { EventData } from '../../stores/events/types.ts'
import type { Role } from '../callers/principal.ts'

/** `projects` are the ids of those that a member is limited to; null without a limit. */
type Standing = { role: Role; projects: string[] | null }

/** A standing that was set; `user` is null for an invitation, and `before` undefined for a new one. */
export type SetStanding = Standing & {
  user: string | null
  email: string | null
  before: Standing | undefined
}

export type Updated = EventData<'member.updated'>

type Happened = { added: EventData<'member.added'>['member'][]; updated: Updated[] }

/** How many projects of a limit an event names. */
const maxNames = 20

/** The members and invitations that are new, and those that were known, with the names of their projects. */
export async function standingEvents(tx: Database, set: SetStanding[]): Promise<Happened> {
  const ids = set.flatMap(({ projects: after, before }) => [...(after ?? []), ...(before?.projects ?? [])])
  const names = await namesOf(tx, [...new Set(ids)])
  const named = ({ role, projects: of }: Standing) => ({ role, limited: of && limitOf(of, names) })
  const memberOf = (each: SetStanding) => ({ user: each.user, email: each.email, ...named(each) })
  return {
    added: set.filter(({ before }) => before === undefined).map(memberOf),
    updated: set.flatMap((each) =>
      each.before ? [{ member: memberOf(each), before: named(each.before) }] : [],
    ),
  }
}

async function namesOf(tx: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, name } = projects
  const found = await tx.select({ id, name }).from(projects).where(inArray(id, ids))
  return new Map(found.map((each) => [each.id, each.name]))
}

/** A project that is gone is in no limit any more. */
function limitOf(ids: string[], names: Map<string, string>): string[] {
  const known = ids.flatMap((id) => names.get(id) ?? []).sort()
  const left = known.length - maxNames
  return left > 0 ? [...known.slice(0, maxNames), `and ${left} more`] : known
}
