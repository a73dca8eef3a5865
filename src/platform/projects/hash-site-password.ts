/** Hashes the password of a project before its transaction begins, since that takes long. */
import { and, eq } from 'drizzle-orm'
import { isId } from '../../lib/ids.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { hashPassword, verifyPassword } from '../people/password.ts'
import type { ProjectChanges } from './project-input.ts'

/** Changes in which `password` is the hash of a new one, as it is stored. */
export type HashedChanges = Omit<ProjectChanges, 'password'> & { password?: string | null | undefined }

/**
 * The changes of the team's project of this name or id, without a password that it has already.
 * @throws AppError `sign_in_unavailable` when too many are waiting.
 */
export async function hashChanges(
  store: Store,
  { teamId, reference }: { teamId: string; reference: string },
  changes: ProjectChanges,
): Promise<HashedChanges> {
  const { password, ...others } = changes
  if (password === undefined || password === null) return changes
  const column = isId('project', reference) ? projects.id : projects.name
  const [known] = await store.db
    .select({ hash: projects.passwordHash })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), eq(column, reference)))
  const isKnown = known?.hash && (await verifyPassword({ hash: known.hash, password }))
  return isKnown ? others : { ...others, password: await hashPassword(password) }
}
