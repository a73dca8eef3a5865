/** Values of a project's environment variables, which are encrypted and never leave the service. */
import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Secret } from '../../lib/secret.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'

export type EnvTarget = 'production' | 'preview'

/** The place of a value: of a target, or with a branch of the previews of that. */
export type EnvPlace = { projectId: string; key: string; target: EnvTarget; branch?: string | null }

/** Encrypts a value for its place, so that it can't be moved to another project, variable or target. */
export function sealEnvValue(envKey: Buffer, place: EnvPlace, value: Secret): string {
  return seal(envKey, boundTo(place), value)
}

/** Decrypts the value of this place. @throws when it is of another place or key, or damaged. */
export function openEnvValue(envKey: Buffer, place: EnvPlace, sealed: string): string {
  return unseal(envKey, boundTo(place), sealed)
}

/**
 * Tells by the database alone whether two targets have one value, and nothing else: a MAC of the value, valid
 * together with `updatedMs` (a node of an earlier version writes values without it).
 */
export function fingerprintOf(
  envKey: Buffer,
  { projectId, key }: EnvPlace,
  value: string,
  updatedMs: number,
): string {
  const mac = createHmac('sha256', envKey).update(`fingerprint\n${projectId}\n${key}\n${value}`)
  return `${updatedMs}.${mac.digest('base64url')}`
}

/** Equal for the values of one variable that are the same: their MAC, or else when they were set. */
export const sameValue = sql`case
  when split_part(${projectEnv.fingerprint}, '.', 1) = ${projectEnv.updatedMs}::text
  then split_part(${projectEnv.fingerprint}, '.', 2)
  else ${projectEnv.updatedMs}::text end`

function boundTo({ projectId, key, target, branch }: EnvPlace): string {
  const place = `${projectId}\n${key}\n${target}`
  return branch ? `${place}\n${branch}` : place
}
