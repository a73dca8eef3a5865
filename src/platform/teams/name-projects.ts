/** From the projects that a list of members names to their ids. */
import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { WantedMember } from './team-input.ts'

/**
 * The wanted members with the ids of the projects that they are limited to, in order and each once. The
 * projects are kept from being deleted until the transaction ends.
 * @throws AppError `invalid_input` for what is no project of the team.
 */
export async function nameProjects(
  tx: Database,
  teamId: string,
  wanted: WantedMember[],
): Promise<WantedMember[]> {
  const references = [...new Set(wanted.flatMap((each) => each.projects ?? []))]
  if (references.length === 0) return wanted
  const found = await tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(
      and(
        eq(projects.teamId, teamId),
        or(inArray(projects.id, references), inArray(projects.name, references)),
      ),
    )
    .orderBy(asc(projects.id))
    .for('key share')
  const ids = new Map(found.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]))
  return wanted.map((member, at) => {
    if (!member.projects) return member
    const known = member.projects.map((reference, index) => {
      const id = ids.get(reference)
      if (id !== undefined) return id
      throw invalidField(`members.${at}.projects.${index}`, `the team has no project ${reference}`)
    })
    return { ...member, projects: [...new Set(known)].sort() }
  })
}
