/** Decrypts a project's environment for a build, its only use. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'
import { type EnvTarget, openEnvValue } from './env.ts'

/**
 * The variables of one target.
 * @throws Error when a value was encrypted with another key or for another place.
 */
export async function openEnv(
  db: Database,
  envKey: Buffer,
  { projectId, target }: { projectId: string; target: EnvTarget },
): Promise<Record<string, string>> {
  const rows = await db
    .select({ key: projectEnv.key, sealed: projectEnv.sealed })
    .from(projectEnv)
    .where(and(eq(projectEnv.projectId, projectId), eq(projectEnv.target, target)))
  return Object.fromEntries(
    rows.map(({ key, sealed }) => [key, openEnvValue(envKey, { projectId, key, target }, sealed)]),
  )
}
