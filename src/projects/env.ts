/** A project's environment variables: values are encrypted, and never leave the service. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import { seal, unseal } from '../data-dir/seal.ts'
import type { Database } from '../db/database.ts'
import { projectEnv } from '../db/schema/projects.ts'
import { invalidField } from '../errors.ts'

export type EnvTarget = 'production' | 'preview'

/** One change: a value for some targets, or `null` to remove the variable from them. */
export type EnvChange = { key: string; value: string | null; target: EnvTarget[] }

/** The place of a value. */
type Place = { projectId: string; key: string; target: EnvTarget }

const maxEnvKeys = 100

/** Encrypts a value for its place, so that it can't be moved to another project, variable or target. */
export function sealEnvValue(envKey: Buffer, place: Place, value: string): string {
  return seal(envKey, boundTo(place), value)
}

/** Decrypts the value of this place. @throws when it is of another place or key, or damaged. */
export function openEnvValue(envKey: Buffer, place: Place, sealed: string): string {
  return unseal(envKey, boundTo(place), sealed)
}

function boundTo({ projectId, key, target }: Place): string {
  return `${projectId}\n${key}\n${target}`
}

/**
 * Applies changes to a project's environment; `null` instead of changes removes all of it. Resolves to whether anything
 * changed: unchanged values aren't written.
 * @throws AppError `invalid_input` when a variable is changed twice for one target, or there would be more than 100.
 */
export async function changeEnv(
  { tx, envKey, nowMs }: { tx: Database; envKey: Buffer; nowMs: number },
  projectId: string,
  changes: EnvChange[] | null,
): Promise<boolean> {
  if (changes === null) {
    const removed = await tx
      .delete(projectEnv)
      .where(eq(projectEnv.projectId, projectId))
      .returning({ key: projectEnv.key })
    return removed.length > 0
  }
  checkOnce(changes)
  const places = await differing(
    tx,
    envKey,
    changes.flatMap(({ key, value, target }) =>
      target.map((each) => ({ projectId, key, value, target: each })),
    ),
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
  if (set.length === 0) return places.length > 0
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
  return true
}

type WantedValue = Place & { value: string | null }

/** The variables of one project whose value differs from the stored one. */
async function differing(tx: Database, envKey: Buffer, places: WantedValue[]): Promise<WantedValue[]> {
  const [first] = places
  if (!first) return []
  const stored = await tx
    .select({ key: projectEnv.key, target: projectEnv.target, sealed: projectEnv.sealed })
    .from(projectEnv)
    .where(eq(projectEnv.projectId, first.projectId))
  const sealed = new Map(stored.map((row) => [`${row.key} ${row.target}`, row.sealed]))
  return places.filter((place) => {
    const present = sealed.get(`${place.key} ${place.target}`)
    if (present === undefined || place.value === null) return present !== undefined || place.value !== null
    return !isSealed(envKey, place, present, place.value)
  })
}

/** False, too, if it can't be decrypted: then it is replaced. */
function isSealed(envKey: Buffer, place: Place, sealed: string, value: string): boolean {
  try {
    return openEnvValue(envKey, place, sealed) === value
  } catch {
    return false
  }
}

function checkOnce(changes: EnvChange[]): void {
  const seen = new Set<string>()
  for (const [index, { key, target }] of changes.entries()) {
    for (const each of target) {
      const place = `${key} ${each}`
      if (seen.has(place)) throw invalidField(`env.${index}.key`, `${key} is duplicated for ${each}`)
      seen.add(place)
    }
  }
}
