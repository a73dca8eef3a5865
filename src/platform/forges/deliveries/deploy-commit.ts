/** Makes a deployment of a commit at a forge. */
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type DiskReserve, whileDiskHasSpace } from '../../../stores/data-dir/disk-reserve.ts'
import type { Database } from '../../../stores/db/database.ts'
import { branches } from '../../../stores/db/schema/branches.ts'
import { deployments } from '../../../stores/db/schema/projects.ts'
import type { Deployer } from '../../callers/actor.ts'
import { wholeTeam } from '../../callers/scope.ts'
import { type CreateDeps, createDeployment } from '../../deployments/create-deployment.ts'
import type { DeploymentRecord } from '../../deployments/deployment-output.ts'
import { wasStatic } from '../../deployments/last-ready.ts'
import { cancelOlder } from '../../deployments/queued/cancel-older.ts'
import { checkBranch, notePush } from '../../git/branches.ts'
import { readCommit } from '../../git/commit.ts'
import { fetchBranch, fetchCommit, type Source } from '../../git/fetch.ts'
import type { ForgeAccess } from '../../git/forge-access.ts'
import { openObjects } from '../../git/objects.ts'
import { findSettled, previewReason, productionAmong } from '../../git/production-branch.ts'
import { discard, newRepository } from '../../git/repositories.ts'
import type { Leases } from '../../limits/leases.ts'
import { getProject, type KnownProject } from '../../projects/read-project.ts'
import { openRepositorySecret } from '../../projects/repository.ts'
import type { KnownRepository } from '../find-repository.ts'
import { userNames } from '../user-names.ts'

/** `git` is the directory of repositories. */
export type DeployDeps = CreateDeps & {
  envKey: Buffer
  git: string
  /** The reserve of the disk with the repositories. */
  disk: DiskReserve
  forges: ForgeAccess
  /** The processes of the node that fetch and read. */
  reading: Leases
}

/**
 * The commit to deploy: one of a branch, the newest of a branch, or one of a fork, whose branches count for
 * nothing and whose sources are untrusted.
 */
export type PushedCommit = { branch: string; commit: string | undefined } | { branch: null; commit: string }

/**
 * `pullRequest` is the one that has it deployed, if no push does. `note` is called in the transaction that
 * makes the deployment.
 */
type Pushed = PushedCommit & {
  pullRequest: number | undefined
  meta: Record<string, string>
  deployer: Deployer
  note: (tx: Database, made: { id: string; commit: string; outcome: string }) => Promise<void>
}

export type Deployed =
  | { made: DeploymentRecord; remarks: string[] }
  /** It can't be deployed, at least now. */
  | { why: string; retry: boolean }

/**
 * Fetches the commit, and deploys its files: of the production branch to production, of another one as a
 * preview, of a fork as an untrusted preview. Older builds of the branch that are still queued are canceled.
 * A fork's commit, too, is fetched from the project's own repository, where forges keep those of its pull
 * requests: no other place gets the token or is reached at all.
 * @throws AppError as `readCommit` and `createDeployment` do.
 */
export async function deployCommit(
  deps: DeployDeps,
  repository: KnownRepository,
  pushed: Pushed,
  signal: AbortSignal,
): Promise<Deployed> {
  const { projectId, teamId } = repository
  const { branch } = pushed
  const { db } = deps.store
  if (branch !== null) await checkBranch(db, { projectId, name: branch })
  const project = await getProject(deps, wholeTeam(teamId), projectId)
  const lease = await deps.reading.take(teamId, signal)
  return deployInTurn(deps, { repository, project, pushed }, signal).finally(lease.end)
}

type Wanted = { repository: KnownRepository; project: KnownProject; pushed: Pushed }

async function deployInTurn(
  deps: DeployDeps,
  { repository, project, pushed }: Wanted,
  signal: AbortSignal,
): Promise<Deployed> {
  const { projectId, provider, url, tokenSealed } = repository
  const { branch, deployer } = pushed
  const token =
    tokenSealed === null
      ? undefined
      : openRepositorySecret(deps.envKey, { projectId, url, kind: 'token' }, tokenSealed)
  await deps.disk.require()
  const directory = await newRepository(deps.git)
  const objects = openObjects(directory, signal)
  try {
    // Without the ending GitLab redirects.
    const from = { url: `${url}.git`, user: userNames[provider], token, directory }
    const fetched = await whileDiskHasSpace(deps.disk, signal, (signal) =>
      fetchPushed({ ...from, signal }, pushed, deps.forges),
    )
    if (!fetched.fetched) return fetched
    const { commit } = fetched
    const source = { directory, objects, caps: deps.caps, signal }
    const at = { commit, branch: branch ?? undefined, root: repository.rootDirectory ?? '' }
    const known = { ...project, wasStatic: () => wasStatic(deps.store.db, projectId) }
    const { files, sent, build, meta, remarks } = await readCommit(source, at, known)
    const untrusted = branch === null
    const settled = await findSettled(deps.store.db, projectId)
    const production = productionAmong(settled, [branch ?? ''])
    const isProduction = !untrusted && branch === production
    const input = {
      project: projectId,
      target: isProduction ? ('production' as const) : ('preview' as const),
      files,
      meta: { ...meta, ...pushed.meta },
      build,
      zip: sent,
      untrusted,
    }
    const made = await createDeployment(deps, deployer, input, async (tx, answer) => {
      const { id, created_ms } = madeSchema.parse(answer)
      const newest = { projectId, deploymentId: id, createdMs: created_ms, pullRequest: pushed.pullRequest }
      if (branch !== null) await notePush(tx, { ...newest, name: branch })
      const isUsual = untrusted || isProduction
      const outcome = isUsual ? 'Deployed.' : `Deployed as a preview: ${previewReason(settled, production)}.`
      await pushed.note(tx, { id, commit, outcome })
    })
    if (branch !== null)
      await cancelOlder(deps, deployer, { projectId, branch, id: made.id, createdMs: made.created_ms })
    return { made, remarks }
  } finally {
    objects.close()
    await discard(deps.git, directory)
  }
}

function fetchPushed(from: Source, pushed: PushedCommit, forges: ForgeAccess) {
  if (pushed.branch === null) return fetchCommit({ ...from, commit: pushed.commit }, forges)
  const { branch, commit } = pushed
  return commit === undefined
    ? fetchBranch({ ...from, branch }, forges)
    : fetchCommit({ ...from, commit }, forges)
}

const madeSchema = z.object({ id: z.string(), created_ms: z.number() })

/** The newest deployment of the branch, where that is of this commit and didn't fail. */
export async function findDeployed(
  db: Database,
  { projectId, branch, commit }: { projectId: string; branch: string; commit: string },
): Promise<string | undefined> {
  const [newest] = await db
    .select({ id: deployments.id })
    .from(branches)
    .innerJoin(deployments, eq(deployments.id, branches.newestDeploymentId))
    .where(
      and(
        eq(branches.projectId, projectId),
        eq(branches.name, branch),
        eq(sql`${deployments.meta} ->> 'commit'`, commit),
        sql`${deployments.state} not in ('error', 'canceled')`,
      ),
    )
  return newest?.id
}
