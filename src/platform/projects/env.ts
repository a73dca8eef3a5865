/** A project's environment variables: values are encrypted, and never leave the service. */
import { createHmac } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import type { Database } from '../../stores/db/database.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'
import type { EnvChange } from './input.ts'

export type EnvTarget = 'production' | 'preview'

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

/**
 * Tells by the database alone whether two targets have one value, and nothing else: a MAC of the value, valid
 * together with `updatedMs` (a node of an earlier version writes values without it).
 */
function fingerprintOf(envKey: Buffer, { projectId, key }: Place, value: string, updatedMs: number): string {
  const mac = createHmac('sha256', envKey).update(`fingerprint\n${projectId}\n${key}\n${value}`)
  return `${updatedMs}.${mac.digest('base64url')}`
}

/** Equal for the values of one variable that are the same: their MAC, or else when they were set. */
export const sameValue = sql`case
  when split_part(${projectEnv.fingerprint}, '.', 1) = ${projectEnv.updatedMs}::text
  then split_part(${projectEnv.fingerprint}, '.', 2)
  else ${projectEnv.updatedMs}::text end`

function boundTo({ projectId, key, target }: Place): string {
  return `${projectId}\n${key}\n${target}`
}

/**
 * Applies changes to a project's environment; `null` instead of changes removes all of it. Resolves to
 * whether anything changed: unchanged values aren't written.
 * @throws AppError `invalid_input` when a variable is changed twice for one target, or there would be more
 * than 100.
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
            fingerprint: fingerprintOf(envKey, { projectId, key, target }, value, nowMs),
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
      set: {
        sealed: sql`excluded.sealed`,
        fingerprint: sql`excluded.fingerprint`,
        updatedMs: sql`excluded.updated_ms`,
      },
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
