/** Decrypts a project's environment for a build, its only use. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { branchEnv } from '../../stores/db/schema/branch-env.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'
import { type EnvTarget, openEnvValue } from './env.ts'

type For = { projectId: string; target: EnvTarget; meta: Record<string, string> }

/**
 * The variables of one target; in a preview of a branch, those of the branch go first.
 * @throws Error when a value was encrypted with another key or for another place.
 */
export async function openEnv(
  db: Database,
  envKey: Buffer,
  { projectId, target, meta: { branch } }: For,
): Promise<Record<string, string>> {
  const place = { projectId, target }
  const shared = await db
    .select({ key: projectEnv.key, sealed: projectEnv.sealed })
    .from(projectEnv)
    .where(and(eq(projectEnv.projectId, projectId), eq(projectEnv.target, target)))
  const values = shared.map(({ key, sealed }) => [key, openEnvValue(envKey, { ...place, key }, sealed)])
  if (target === 'production' || branch === undefined) return Object.fromEntries(values)
  const own = await db
    .select({ key: branchEnv.key, sealed: branchEnv.sealed })
    .from(branchEnv)
    .where(and(eq(branchEnv.projectId, projectId), eq(branchEnv.branch, branch)))
  const ofBranch = own.map(({ key, sealed }) => [
    key,
    openEnvValue(envKey, { ...place, key, branch }, sealed),
  ])
  return Object.fromEntries([...values, ...ofBranch])
}
