/** Which branch of a project goes to production. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { shellWord } from '../../lib/names/shell-word.ts'
import type { Database } from '../../stores/db/database.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { changeOf } from '../../stores/events/changes.ts'
import { type Origin, recordEvents } from '../../stores/events/record-events.ts'

/** Where none is settled. */
const usualBranch = 'main'

/** Those that go to production by their name, where none is settled. */
const usualBranches = [usualBranch, 'master']

/**
 * `branch` is null where none is settled: from the beginning, if `by` is null too, and else since the settled
 * one was deleted.
 */
type Settled = { branch: string | null; by: (typeof projects.$inferSelect)['productionBranchBy'] }

export async function findSettled(db: Database, projectId: string): Promise<Settled> {
  const [project] = await db
    .select({ branch: projects.productionBranch, by: projects.productionBranchBy })
    .from(projects)
    .where(eq(projects.id, projectId))
  return project ?? { branch: null, by: null }
}

/** The production branch, of which one of these may be pushed: where none is settled, a usual one. */
export function productionAmong({ branch }: Pick<Settled, 'branch'>, names: string[]): string {
  return branch ?? usualBranches.find((name) => names.includes(name)) ?? usualBranch
}

/** Why another branch than the production branch is a preview, as a part of a sentence. */
export function previewReason({ branch, by }: Settled, production: string): string {
  const isGone = branch === null && by !== null
  return isGone
    ? 'the production branch was deleted, and no other is set'
    : `${production} is the production branch`
}

/** The command that sets the production branch. */
export function settingCommand(project: string, branch: string): string {
  return `svc projects set ${project} --production-branch ${shellWord(branch)}`
}

/**
 * The production branch of a project to which branches of these names are pushed. Before the first is settled
 * it is `main`, or where there is none the first branch.
 */
export async function productionBranchOf(db: Database, projectId: string, names: string[]): Promise<string> {
  const settled = await findSettled(db, projectId)
  if (settled.branch !== null || settled.by !== null) return productionAmong(settled, names)
  const [known] = await db
    .select({ name: branches.name })
    .from(branches)
    .where(and(eq(branches.projectId, projectId), eq(branches.name, usualBranch)))
  return known || names.includes(usualBranch) ? usualBranch : (names[0] ?? usualBranch)
}

/** Settles the production branch, unless it is settled already, once a first deployment of it is ready. */
export async function settleProductionBranch(db: Database, projectId: string, branch: string): Promise<void> {
  await db
    .update(projects)
    .set({ productionBranch: branch, productionBranchBy: 'push' })
    .where(and(eq(projects.id, projectId), isNull(projects.productionBranch)))
}

/** Has the production branch follow the default branch of the repository, unless an owner set another one. */
export async function followForge(
  tx: Transaction,
  projectId: string,
  { branch, nowMs }: { branch: string; nowMs: number },
): Promise<void> {
  // The project first, as whoever changes the connection does.
  const [project] = await lockSettled(tx, projectId)
  await tx
    .update(projectRepositories)
    .set({ defaultBranch: branch })
    .where(
      and(
        eq(projectRepositories.projectId, projectId),
        sql`${projectRepositories.defaultBranch} is distinct from ${branch}`,
      ),
    )
  const isFree = project && (project.branch === null || project.by === 'forge' || project.by === 'push')
  if (!isFree || (project.branch === branch && project.by === 'forge')) return
  await tx
    .update(projects)
    .set({ productionBranch: branch, productionBranchBy: 'forge' })
    .where(eq(projects.id, projectId))
  if (project.branch !== branch) await recordChange(tx, project, branch, { origin: null, nowMs })
}

/** Unsettles the production branch where it is one of these, which were deleted. What is live stays live. */
export async function unsettleDeleted(
  tx: Transaction,
  { projectId, names }: { projectId: string; names: string[] },
  by: { origin: Origin | null; nowMs: number },
): Promise<void> {
  const [project] = await lockSettled(tx, projectId)
  if (!project || project.branch === null || !names.includes(project.branch)) return
  await tx
    .update(projects)
    .set({ productionBranch: null, productionBranchBy: 'push' })
    .where(eq(projects.id, projectId))
  await recordChange(tx, project, null, by)
}

function lockSettled(tx: Transaction, projectId: string) {
  return tx
    .select({
      id: projects.id,
      teamId: projects.teamId,
      name: projects.name,
      branch: projects.productionBranch,
      by: projects.productionBranchBy,
    })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update')
}

type Project = Awaited<ReturnType<typeof lockSettled>>[number]

async function recordChange(
  tx: Transaction,
  { id, teamId, name, branch: before }: Project,
  after: string | null,
  by: { origin: Origin | null; nowMs: number },
): Promise<void> {
  const changes = [changeOf('git.production_branch', before, after)]
  const data = { project: { id, name }, changed: ['git'], changes }
  await recordEvents(tx, by, [{ teamId, type: 'project.updated', projectId: id, data }])
  tx.announce({ kind: 'project', id })
}
