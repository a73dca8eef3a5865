/** The branches of a project: what is deployed of each, and which push is the newest. */
import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { maxBranchBytes } from '../projects/branch-label.ts'

/** The most branches of a project. */
const maxBranches = 1_000

type Branch = { projectId: string; name: string }

/**
 * A deployment of a branch, with the time that it was created, and the number of the pull request for which
 * it was made; without one a push had it made.
 */
type Pushed = Branch & { deploymentId: string; createdMs: number; pullRequest?: number | undefined }

/** The commit that is deployed of each branch. */
export async function commitsOf(db: Database, projectId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ name: branches.name, commit: branches.commit })
    .from(branches)
    .where(eq(branches.projectId, projectId))
    .orderBy(asc(branches.name))
    .limit(maxBranches)
  return new Map(rows.flatMap(({ name, commit }) => (commit === null ? [] : [[name, commit]])))
}

/** Those of branches begin with it. */
export const branchPrefix = 'refs/heads/'

/** The name of the branch whose ref this is. */
export function branchNameOf(ref: string): string {
  return ref.slice(branchPrefix.length)
}

/** Each is a file below that of its kind, such as `refs/tags/`. @throws AppError `invalid_input`. */
export function requireShortRefs(refs: readonly string[]): void {
  for (const ref of refs) {
    const name = ref.replace(/^refs\/[^/]*\//, '')
    if (Buffer.byteLength(name) <= maxBranchBytes) continue
    const what = ref.startsWith(branchPrefix) ? "branch's" : "ref's"
    throw new AppError('invalid_input', `A ${what} name may have ${maxBranchBytes} bytes.`)
  }
}

/** @throws AppError `invalid_input` for too long a name, or one branch more than a project may have. */
export async function checkBranch(db: Database, { projectId, name }: Branch): Promise<void> {
  requireShortRefs([branchPrefix + name])
  const [found] = await db
    .select({ count: count(), isKnown: sql<boolean>`coalesce(bool_or(${branches.name} = ${name}), false)` })
    .from(branches)
    .where(eq(branches.projectId, projectId))
  if (found && !found.isKnown && found.count >= maxBranches)
    throw new AppError('invalid_input', `A project may have ${maxBranches} branches: delete some.`)
}

/** Notes that a deployment is the newest of its branch, unless a newer one has been noted already. */
export async function notePush(
  db: Database,
  { projectId, name, deploymentId, createdMs, pullRequest }: Pushed,
): Promise<void> {
  const newest = { newestDeploymentId: deploymentId, newestMs: createdMs }
  await db
    .insert(branches)
    .values({ projectId, name, ...newest, pullRequest: pullRequest ?? null })
    .onConflictDoUpdate({
      target: [branches.projectId, branches.name],
      set: newest,
      setWhere: sql`(${branches.newestMs}, ${branches.newestDeploymentId})
        < (${createdMs}::bigint, ${deploymentId}::text)`,
    })
  await noteUse(db, { projectId, name, pullRequest })
}

/**
 * Notes that a push of a branch that is known, or a pull request of it, uses the branch: what was pushed once
 * is no pull request's any more, and of one that is closed the next one has it.
 */
export async function noteUse(
  db: Database,
  { projectId, name, pullRequest }: Pick<Pushed, 'projectId' | 'name' | 'pullRequest'>,
): Promise<void> {
  const isLeft = pullRequest === undefined ? isNotNull(branches.pullRequest) : eq(branches.pullRequest, 0)
  await db
    .update(branches)
    .set({ pullRequest: pullRequest ?? null })
    .where(and(eq(branches.projectId, projectId), eq(branches.name, name), isLeft))
}

/** Whether a deployment is still the newest of its branch. */
export async function isNewest(
  db: Database,
  { projectId, name, deploymentId }: Omit<Pushed, 'createdMs'>,
): Promise<boolean> {
  const [found] = await db
    .select({ id: branches.newestDeploymentId })
    .from(branches)
    .where(and(eq(branches.projectId, projectId), eq(branches.name, name)))
  return found?.id === deploymentId
}

/** Moves a branch to the commit of a deployment that is ready, if it is still the newest. */
export async function moveBranch(
  db: Database,
  { projectId, name, deploymentId, commit }: Omit<Pushed, 'createdMs'> & { commit: string },
): Promise<void> {
  await db
    .update(branches)
    .set({ commit })
    .where(
      and(
        eq(branches.projectId, projectId),
        eq(branches.name, name),
        eq(branches.newestDeploymentId, deploymentId),
      ),
    )
}

/** Forgets those of these branches that there are; their deployments stay. Resolves to their names. */
export async function removeBranches(
  db: Database,
  { projectId, names }: { projectId: string; names: string[] },
): Promise<string[]> {
  const named = sql`${branches.name} in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))`
  const removed = await db
    .delete(branches)
    .where(and(eq(branches.projectId, projectId), named))
    .returning({ name: branches.name })
  return removed.map(({ name }) => name)
}
