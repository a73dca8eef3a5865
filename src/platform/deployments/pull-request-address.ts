/** The address of a pull request of a fork, which leads to the newest deployment of it that is ready. */
import { and, eq, sql } from 'drizzle-orm'
import { hosts } from '../../stores/db/schema/hosts.ts'
import { deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { releaseLabels } from '../projects/free-labels.ts'
import { assignLabel, takePullRequestLabel } from '../projects/host-label.ts'
import { lockProject, makeRoom, moveBranchAddress, type Ready } from './branch-address.ts'

/**
 * Moves the address that a deployment which is ready has beside its own, unless a newer one has it: that of
 * its branch, or of an untrusted one that of its pull request. The project is locked by then. Resolves to the
 * label; to undefined where the deployment has none.
 */
export function moveAddress(tx: Transaction, ready: Ready, nowMs: number): Promise<string | undefined> {
  const move = ready.untrusted ? movePullRequestAddress : moveBranchAddress
  return move(tx, ready, nowMs)
}

async function movePullRequestAddress(
  tx: Transaction,
  { id, teamId, projectId, createdMs, meta }: Ready,
  nowMs: number,
): Promise<string | undefined> {
  const number = Number(meta.pull_request)
  if (!Number.isSafeInteger(number) || number < 1) return undefined
  const [found] = await tx
    .select({
      project: projects.name,
      label: hosts.label,
      isNewer: sql<boolean>`coalesce((${deployments.createdMs}, ${deployments.id})
        > (${createdMs}::bigint, ${id}::text), false)`,
    })
    .from(projects)
    .leftJoin(hosts, and(eq(hosts.projectId, projects.id), eq(hosts.pullRequest, number)))
    .leftJoin(deployments, eq(deployments.id, hosts.deploymentId))
    .where(eq(projects.id, projectId))
  if (!found || found.isNewer) return undefined
  if (found.label === null) await makeRoom(tx, { projectId, nowMs, of: hosts.pullRequest })
  const label = found.label ?? (await takePullRequestLabel(tx, teamId, { project: found.project, number }))
  await assignLabel(tx, label, { projectId, deploymentId: id, pullRequest: number })
  tx.announce({ kind: 'host', id: label })
  return label
}

type PullRequest = { projectId: string; number: number }

/** Takes the address of a pull request away; its deployments stay. */
export async function removePullRequestAddress(
  tx: Transaction,
  { projectId, number }: PullRequest,
  nowMs: number,
): Promise<void> {
  await lockProject(tx, projectId)
  const ofPullRequest = and(eq(hosts.projectId, projectId), eq(hosts.pullRequest, number))
  for (const label of await releaseLabels(tx, ofPullRequest, nowMs)) tx.announce({ kind: 'host', id: label })
}
