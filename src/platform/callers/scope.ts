/** The part of a team that a caller sees: all of it, or some projects with what is theirs. */
import { type Column, type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'

/** A team, and the ids of the projects that the caller is limited to; null without a limit. */
export type Scope = { teamId: string; projects: readonly string[] | null }

/** All of a team. */
export function wholeTeam(teamId: string): Scope {
  return { teamId, projects: null }
}

/** Whether the caller sees the project of this id of its team; what is of no project is of the whole team. */
export function sees({ projects }: Pick<Scope, 'projects'>, projectId: string | null): boolean {
  return projects === null || (projectId !== null && projects.includes(projectId))
}

/** The condition for rows that the caller sees, by the id of their project; undefined without a limit. */
export function isSeen({ projects }: Pick<Scope, 'projects'>, projectId: Column | SQL): SQL | undefined {
  return projects === null ? undefined : sql`${projectId} = any(${idList(projects)})`
}

/** The ids as one parameter, so that a statement is planned once for any number of them. */
export function idList(ids: readonly string[]): SQL {
  return sql`string_to_array(${ids.join(',')}, ',')`
}

/** The ids in both lists; null is a list of all. */
export function narrowed(
  one: readonly string[] | null,
  other: readonly string[] | null,
): readonly string[] | null {
  if (one === null || other === null) return one ?? other
  return one.filter((id) => other.includes(id))
}

/** Whether both see the same. */
export function isSameScope(one: Scope, other: Scope): boolean {
  return one.teamId === other.teamId && one.projects?.join() === other.projects?.join()
}

/**
 * Passes callers without a limit.
 * @throws AppError `role_required`; `what` completes "A member limited to some projects may not …".
 */
export function requireWholeTeam({ projects }: Pick<Scope, 'projects'>, what: string): void {
  if (projects === null) return
  throw new AppError('role_required', `A member limited to some projects may not ${what}.`)
}
