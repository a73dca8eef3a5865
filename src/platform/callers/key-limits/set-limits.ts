/** Gives a new key its limits, in the transaction that makes it. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { invalidField } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Database } from '../../../stores/db/database.ts'
import { keyEnds } from '../../../stores/db/schema/key-ends.ts'
import { keyProjects } from '../../../stores/db/schema/key-projects.ts'
import { projects } from '../../../stores/db/schema/projects.ts'
import type { WantedLimits } from '../credential-input.ts'
import { isSeen, type Scope } from '../scope.ts'

const dayMs = 86_400_000

/** How long before a key's end there is a notice of it. */
const noticeMs = 7 * dayMs

/** Ten years, with their leap days. */
const longestMs = 3_653 * dayMs

/** @throws AppError `invalid_input` for an end in the past, or in more than ten years. */
export function checkEnd(endsMs: number | undefined, nowMs: number): void {
  if (endsMs === undefined || (endsMs > nowMs && endsMs <= nowMs + longestMs)) return
  const fault = endsMs <= nowMs ? 'is in the past' : 'is more than ten years from now'
  throw invalidField('expires_ms', `${fault}: give a time in milliseconds of Unix time`)
}

/**
 * The projects, by name or id, as the maker of the key sees them, each once and by name. They are kept from
 * being deleted until the transaction ends.
 * @throws AppError `invalid_input` for one that the maker doesn't see.
 */
export async function findKeyProjects(
  tx: Database,
  scope: Scope,
  references: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const ids = references.filter((reference) => isId('project', reference))
  const names = references.filter((reference) => !isId('project', reference))
  // Each by its own index, since neither serves both.
  const byId = ids.length > 0 ? await findSeen(tx, scope, inArray(projects.id, ids)) : []
  const byName = names.length > 0 ? await findSeen(tx, scope, inArray(projects.name, names)) : []
  const found = [...new Map([...byId, ...byName].map((project) => [project.id, project])).values()]
  const known = new Set(found.flatMap(({ id, name }) => [id, name]))
  const at = references.findIndex((reference) => !known.has(reference))
  if (at >= 0) throw invalidField(`projects.${at}`, `the team has no project ${references[at]}`)
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function findSeen(tx: Database, scope: Scope, named: SQL) {
  return tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(and(eq(projects.teamId, scope.teamId), named, isSeen(scope, projects.id)))
    .for('key share')
}

/** Stores what the key's own row lacks: its projects, and what is to be done about its end. */
export async function storeLimits(
  tx: Database,
  { id, createdMs }: { id: string; createdMs: number },
  { expires_ms: endsMs }: WantedLimits,
  seen: { id: string }[],
): Promise<void> {
  if (seen.length > 0) {
    await tx.insert(keyProjects).values(seen.map((project) => ({ keyId: id, projectId: project.id })))
  }
  if (endsMs === undefined) return
  const dueMs = endsMs - noticeMs
  await tx
    .insert(keyEnds)
    .values([
      { keyId: id, step: 'end' as const, dueMs: endsMs },
      ...(dueMs > createdMs ? [{ keyId: id, step: 'notice' as const, dueMs }] : []),
    ])
}
