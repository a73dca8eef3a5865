/** The address of a branch, which leads to the branch's newest deployment that is ready. */
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { branches } from '../../stores/db/schema/branches.ts'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { closedPullRequests } from '../../stores/db/schema/project-repositories.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { maxBranchBytes } from '../projects/branch-label.ts'
import { releaseLabels } from '../projects/free-labels.ts'
import { assignLabel, takeBranchLabel } from '../projects/host-label.ts'

/** The most addresses of branches in a project. */
const maxAddresses = 200

/** A deployment that is ready. */
export type Ready = {
  id: string
  teamId: string
  projectId: string
  createdMs: number
  meta: Record<string, string>
  untrusted: boolean
}

/**
 * Moves the address of the branch in `meta` to a deployment that is ready, unless a newer one has it, it was
 * made for a pull request that was closed since and took the address along, or it is a preview that names
 * the production branch. The project is locked by then. With 200 addresses, the one whose deployment is the
 * oldest makes room. Resolves to the label; to undefined where the deployment has none.
 */
export async function moveBranchAddress(
  tx: Transaction,
  { id, teamId, projectId, createdMs, meta, untrusted }: Ready,
  nowMs: number,
): Promise<string | undefined> {
  const { branch = '' } = meta
  if (branch === '' || untrusted || Buffer.byteLength(branch) > maxBranchBytes) return undefined
  const [found] = await tx
    .select({
      project: projects.name,
      isOn: projects.branchAddresses,
      label: hosts.label,
      isNewer: sql<boolean>`coalesce((${deployments.createdMs}, ${deployments.id})
        > (${createdMs}::bigint, ${id}::text), false)`,
      isClosed: sql<boolean>`exists (select from ${closedPullRequests}
        join ${branches} on ${branches.projectId} = ${projectId} and ${branches.name} = ${branch}
        where ${closedPullRequests.projectId} = ${projectId}
          and ${closedPullRequests.number}::text = ${meta.pull_request ?? ''}::text
          and ${closedPullRequests.closedMs} >= ${createdMs}::bigint and ${branches.pullRequest} = 0)`,
      // Whoever may make previews names branches as they like.
      isElsewhere: sql<boolean>`(
        select made.target = 'preview' from ${deployments} as made where made.id = ${id})
        and coalesce(${projects.productionBranch} = ${branch}, ${deployments.target} = 'production', false)`,
    })
    .from(projects)
    .leftJoin(hosts, and(eq(hosts.projectId, projects.id), eq(hosts.branch, branch)))
    .leftJoin(deployments, eq(deployments.id, hosts.deploymentId))
    .where(eq(projects.id, projectId))
  if (!found?.isOn || found.isNewer || found.isClosed || found.isElsewhere) return undefined
  if (found.label === null) await makeRoom(tx, { projectId, nowMs, of: hosts.branch })
  const label = found.label ?? (await takeBranchLabel(tx, teamId, { project: found.project, branch }))
  await assignLabel(tx, label, { projectId, deploymentId: id, branch })
  tx.announce({ kind: 'host', id: label })
  return label
}

type Room = { projectId: string; nowMs: number; of: typeof hosts.branch | typeof hosts.pullRequest }

/** Releases the addresses of branches, or of pull requests, that are one too many with a new one. */
export async function makeRoom(tx: Transaction, { projectId, nowMs, of }: Room): Promise<void> {
  const surplus = await tx
    .select({ label: hosts.label })
    .from(hosts)
    .where(and(eq(hosts.projectId, projectId), isNotNull(of)))
    // Ids are in the order of time.
    .orderBy(desc(hosts.deploymentId))
    .offset(maxAddresses - 1)
  const labels = surplus.map(({ label }) => label)
  if (labels.length === 0) return
  await releaseLabels(tx, inArray(hosts.label, labels), nowMs)
  for (const label of labels) tx.announce({ kind: 'host', id: label })
}

/**
 * Gives a branch that has no address its deployment's again, once that is ready. Resolves to whether it did;
 * to undefined where the deployment is gone. The project is locked by then.
 */
export async function restoreBranchAddress(
  tx: Transaction,
  { projectId, deploymentId }: { projectId: string; deploymentId: string },
  nowMs: number,
): Promise<boolean | undefined> {
  const { id, teamId, createdMs, meta, untrusted, state } = deployments
  const [found] = await tx
    .select({ id, teamId, createdMs, meta, untrusted, state, label: hosts.label })
    .from(deployments)
    .leftJoin(hosts, and(eq(hosts.projectId, projectId), eq(hosts.branch, sql`${meta} ->> 'branch'`)))
    .where(eq(id, deploymentId))
  if (!found) return undefined
  if (found.label !== null || found.state !== 'ready') return false
  return (await moveBranchAddress(tx, { ...found, projectId }, nowMs)) !== undefined
}

/** Takes the address of a branch away; its deployments stay. */
export function removeBranchAddress(
  tx: Transaction,
  { projectId, branch }: { projectId: string; branch: string },
  nowMs: number,
): Promise<void> {
  return removeBranchAddresses(tx, { projectId, branches: [branch] }, nowMs)
}

/** Takes the addresses of these branches away, as far as they have one. */
export async function removeBranchAddresses(
  tx: Transaction,
  { projectId, branches }: { projectId: string; branches: string[] },
  nowMs: number,
): Promise<void> {
  await lockProject(tx, projectId)
  const named = sql`${hosts.branch} in (select jsonb_array_elements_text(${JSON.stringify(branches)}::jsonb))`
  const ofBranches = and(eq(hosts.projectId, projectId), named)
  for (const label of await releaseLabels(tx, ofBranches, nowMs)) tx.announce({ kind: 'host', id: label })
}

/** Locks a project by its id until the transaction ends. */
export async function lockProject(tx: Database, projectId: string): Promise<void> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('no key update')
}
