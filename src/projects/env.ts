/** A project's environment variables: values are sealed before they are stored, and never leave the service. */

import { createCipheriv, randomBytes } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../db/open.ts'
import { projectEnv } from '../db/schema/projects.ts'
import { invalidField } from '../errors.ts'

export type EnvTarget = 'production' | 'preview'

/** One change: a value for some targets, or `null` to remove the variable from them. */
export type EnvChange = { key: string; value: string | null; target: EnvTarget[] }

const maxEnvKeys = 100

/**
 * Seals a value with AES-256-GCM (NIST SP 800-38D), bound to its place so that a stored value can't be moved to another
 * project, variable or target. Format: `v1.` and base64url of 12 bytes nonce, ciphertext, 16 bytes tag.
 */
export function sealEnvValue(
  envKey: Buffer,
  place: { projectId: string; key: string; target: EnvTarget },
  value: string,
): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', envKey, nonce)
  cipher.setAAD(Buffer.from(`${place.projectId}\n${place.key}\n${place.target}`))
  const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${sealed.toString('base64url')}`
}

/**
 * Applies changes to a project's environment; `null` instead of changes removes all of it.
 * @throws AppError `invalid_input` when a variable is changed twice for one target, or there would be more than 100.
 */
export async function changeEnv(
  tx: Database,
  envKey: Buffer,
  projectId: string,
  changes: EnvChange[] | null,
  nowMs: number,
): Promise<void> {
  if (changes === null) {
    await tx.delete(projectEnv).where(eq(projectEnv.projectId, projectId))
    return
  }
  checkOnce(changes)
  const places = changes.flatMap(({ key, value, target }) =>
    target.map((each) => ({ key, value, target: each })),
  )
  for (const target of ['production', 'preview'] as const) {
    const removed = places
      .filter((place) => place.value === null && place.target === target)
      .map(({ key }) => key)
    if (removed.length === 0) continue
    await tx
      .delete(projectEnv)
      .where(
        and(
          eq(projectEnv.projectId, projectId),
          eq(projectEnv.target, target),
          inArray(projectEnv.key, removed),
        ),
      )
  }
  const set = places.flatMap(({ key, value, target }) =>
    value === null
      ? []
      : [
          {
            projectId,
            key,
            target,
            sealed: sealEnvValue(envKey, { projectId, key, target }, value),
            updatedMs: nowMs,
          },
        ],
  )
  if (set.length === 0) return
  await tx
    .insert(projectEnv)
    .values(set)
    .onConflictDoUpdate({
      target: [projectEnv.projectId, projectEnv.key, projectEnv.target],
      set: { sealed: sql`excluded.sealed`, updatedMs: sql`excluded.updated_ms` },
    })
  const [counted] = await tx
    .select({ keys: sql`count(distinct ${projectEnv.key})`.mapWith(Number) })
    .from(projectEnv)
    .where(eq(projectEnv.projectId, projectId))
  if ((counted?.keys ?? 0) > maxEnvKeys)
    throw invalidField('env', `a project has at most ${maxEnvKeys} variables`)
}

function checkOnce(changes: EnvChange[]): void {
  const seen = new Set<string>()
  for (const [index, { key, target }] of changes.entries()) {
    for (const each of target) {
      const place = `${key} ${each}`
      if (seen.has(place)) throw invalidField(`env.${index}.key`, `${key} is there twice for ${each}`)
      seen.add(place)
    }
  }
}
