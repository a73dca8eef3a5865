/** Changes of a project's environment variables. */
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { invalidField } from '../../lib/errors.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Database } from '../../stores/db/database.ts'
import { branchEnv } from '../../stores/db/schema/branch-env.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'
import { type Change, changeOf } from '../../stores/events/changes.ts'
import { maxBranchBytes } from './branch-label.ts'
import { type EnvPlace, type EnvTarget, fingerprintOf, openEnvValue, sealEnvValue } from './env.ts'
import type { EnvChange } from './project-input.ts'

const maxEnvKeys = 100

/** The most values for branches in a project. */
const maxBranchValues = 500

type EnvChangeDeps = { tx: Database; envKey: Buffer; nowMs: number }

/** `index` is that of the change. */
type Wanted = EnvPlace & { branch: string | null; value: Secret | null; index: number }

/**
 * Applies changes to a project's environment; `null` instead of changes removes all of it. Resolves to what
 * changed, without values: unchanged ones aren't written.
 * @throws AppError `invalid_input` when a variable is changed twice for one target or branch, a branch is
 * named for production, or there would be more than 100 variables or 500 values of branches.
 */
export async function changeEnv(
  change: EnvChangeDeps,
  projectId: string,
  changes: EnvChange[] | null,
): Promise<Change[]> {
  if (changes === null) return namesOf(await removeAll(change.tx, projectId))
  const wanted = changes.flatMap((each, index) => placesOf(projectId, each, index))
  checkOnce(wanted)
  const differing = await differingOf(change, projectId, wanted)
  if (differing.length === 0) return []
  await removeValues(change.tx, projectId, differing)
  await setValues(change, projectId, differing)
  return namesOf(differing)
}

/** A variable for a target or a branch, and whether it had a value and has one. */
type Differing = Pick<Wanted, 'key' | 'target' | 'branch'> & { had: boolean; value: unknown }

/** The names of what had a value, and of what has one. */
function namesOf(differing: Differing[]): Change[] {
  if (differing.length === 0) return []
  const listOf = (places: Differing[]) => (places.length === 0 ? null : places.map(nameOf).sort().join(', '))
  const before = listOf(differing.filter(({ had }) => had))
  return [changeOf('env', before, listOf(differing.filter(({ value }) => value !== null)))]
}

async function removeAll(tx: Database, projectId: string): Promise<Differing[]> {
  const removed = await tx
    .delete(projectEnv)
    .where(eq(projectEnv.projectId, projectId))
    .returning({ key: projectEnv.key, target: projectEnv.target })
  const ofBranches = await tx
    .delete(branchEnv)
    .where(eq(branchEnv.projectId, projectId))
    .returning({ key: branchEnv.key, branch: branchEnv.branch })
  const gone = { had: true, value: null }
  return [
    ...removed.map((each) => ({ ...each, branch: null, ...gone })),
    ...ofBranches.map((each) => ({ ...each, target: 'preview' as const, ...gone })),
  ]
}

function placesOf(projectId: string, { key, value, target, branch }: EnvChange, index: number): Wanted[] {
  if (branch === undefined)
    return (target ?? (['production', 'preview'] as const)).map((each) => ({
      projectId,
      key,
      value,
      target: each,
      branch: null,
      index,
    }))
  if (target?.includes('production'))
    throw invalidField(`env.${index}.target`, 'must be preview, or left out, with a branch')
  if (Buffer.byteLength(branch) > maxBranchBytes)
    throw invalidField(`env.${index}.branch`, `must have at most ${maxBranchBytes} bytes`)
  return [{ projectId, key, value, target: 'preview', branch, index }]
}

function checkOnce(wanted: Wanted[]): void {
  const seen = new Set<string>()
  for (const place of wanted) {
    const name = nameOf(place)
    if (seen.has(name)) {
      const where = place.branch === null ? place.target : `the branch ${place.branch}`
      throw invalidField(`env.${place.index}.key`, `${place.key} is duplicated for ${where}`)
    }
    seen.add(name)
  }
}

const nameOf = ({ key, target, branch }: Pick<Wanted, 'key' | 'target' | 'branch'>) =>
  `${key} ${branch === null ? target : `in ${branch}`}`

/** Those whose value differs from the stored one, and whether there is one. */
async function differingOf(
  { tx, envKey }: EnvChangeDeps,
  projectId: string,
  wanted: Wanted[],
): Promise<(Wanted & { had: boolean })[]> {
  if (wanted.length === 0) return []
  const { key, target, sealed } = projectEnv
  const stored = await tx
    .select({ key, target, branch: sql<string | null>`null::text`, sealed })
    .from(projectEnv)
    .where(eq(projectEnv.projectId, projectId))
    .unionAll(
      tx
        .select({
          key: branchEnv.key,
          target: sql<EnvTarget>`'preview'`,
          branch: sql<string | null>`${branchEnv.branch}`,
          sealed: branchEnv.sealed,
        })
        .from(branchEnv)
        .where(eq(branchEnv.projectId, projectId)),
    )
  const present = new Map(stored.map((row) => [nameOf(row), row.sealed]))
  const differing = wanted.filter((place) => {
    const value = present.get(nameOf(place))
    if (value === undefined || place.value === null) return value !== undefined || place.value !== null
    return !isSealed(envKey, place, value, place.value)
  })
  return differing.map((place) => ({ ...place, had: present.has(nameOf(place)) }))
}

/** False, too, if it can't be decrypted: then it is replaced. */
function isSealed(envKey: Buffer, place: EnvPlace, sealed: string, value: string): boolean {
  try {
    return openEnvValue(envKey, place, sealed) === value
  } catch {
    return false
  }
}

async function removeValues(tx: Database, projectId: string, differing: Wanted[]): Promise<void> {
  const removed = differing.filter(({ value }) => value === null)
  const keysOf = (test: (place: Wanted) => boolean) => removed.filter(test).map(({ key }) => key)
  for (const target of ['production', 'preview'] as const) {
    const keys = keysOf((place) => place.branch === null && place.target === target)
    if (keys.length === 0) continue
    await tx
      .delete(projectEnv)
      .where(
        and(
          eq(projectEnv.projectId, projectId),
          eq(projectEnv.target, target),
          inArray(projectEnv.key, keys),
        ),
      )
  }
  const ofBranches: (SQL | undefined)[] = removed.flatMap(({ branch, key }) =>
    branch === null ? [] : and(eq(branchEnv.branch, branch), eq(branchEnv.key, key)),
  )
  if (ofBranches.length > 0)
    await tx.delete(branchEnv).where(and(eq(branchEnv.projectId, projectId), or(...ofBranches)))
}

async function setValues(
  { tx, envKey, nowMs: updatedMs }: EnvChangeDeps,
  projectId: string,
  differing: Wanted[],
): Promise<void> {
  const rowOf = (place: Wanted, value: Secret) => ({
    projectId,
    key: place.key,
    sealed: sealEnvValue(envKey, place, value),
    updatedMs,
  })
  const ofTargets = differing.flatMap((place) => {
    const { target, branch, value } = place
    if (value === null || branch !== null) return []
    return { ...rowOf(place, value), target, fingerprint: fingerprintOf(envKey, place, value, updatedMs) }
  })
  const ofBranches = differing.flatMap((place) => {
    const { branch, value } = place
    return value === null || branch === null ? [] : { ...rowOf(place, value), branch }
  })
  if (ofTargets.length > 0) {
    await tx
      .insert(projectEnv)
      .values(ofTargets)
      .onConflictDoUpdate({
        target: [projectEnv.projectId, projectEnv.key, projectEnv.target],
        set: {
          sealed: sql`excluded.sealed`,
          fingerprint: sql`excluded.fingerprint`,
          updatedMs: sql`excluded.updated_ms`,
        },
      })
    const keys = sql`count(distinct ${projectEnv.key})`.mapWith(Number)
    const ofProject = eq(projectEnv.projectId, projectId)
    const [counted] = await tx.select({ keys }).from(projectEnv).where(ofProject)
    if ((counted?.keys ?? 0) > maxEnvKeys)
      throw invalidField('env', `a project has at most ${maxEnvKeys} variables`)
  }
  if (ofBranches.length > 0) {
    await tx
      .insert(branchEnv)
      .values(ofBranches)
      .onConflictDoUpdate({
        target: [branchEnv.projectId, branchEnv.branch, branchEnv.key],
        set: { sealed: sql`excluded.sealed`, updatedMs: sql`excluded.updated_ms` },
      })
    if ((await tx.$count(branchEnv, eq(branchEnv.projectId, projectId))) > maxBranchValues)
      throw invalidField(
        'env',
        `the branches of a project have at most ${maxBranchValues} values of their own`,
      )
  }
}
