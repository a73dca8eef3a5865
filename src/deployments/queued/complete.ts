/** Completes a build: its output becomes what the deployment serves. */
import { deployments } from '../../db/schema/projects.ts'
import type { Store } from '../../db/store.ts'
import { AppError } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { deploymentEvent, promotedEvent } from '../event-data.ts'
import { insertManifest, type NewManifest, releaseManifests } from '../manifest.ts'
import { lockWithProject, promoteByItself } from '../promote.ts'
import { ownColumns, toRecord } from '../read.ts'
import type { BuildJob } from './claim.ts'
import { isHeld, withoutWorker } from './held.ts'

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/** The files of a site, and the rules of its `_redirects` and `_headers`. */
export type BuiltSite = Pick<NewManifest, 'entries' | 'rules'> & { bytes: number }

/**
 * Makes the deployment ready, and live by the usual rules, in one transaction. False if the worker has lost the build: then
 * nothing has changed, and its output is collected.
 * @throws AppError `files_missing` when a blob was collected since it was looked up.
 */
export async function completeBuild(deps: Deps, job: BuildJob, site: BuiltSite): Promise<boolean> {
  try {
    await complete(deps, job, site)
    return true
  } catch (error) {
    const isGone = error instanceof AppError && error.reason === 'deployment_not_found'
    if (error instanceof NotHeld || isGone) return false
    throw error
  }
}

/** Rolls the transaction back. */
class NotHeld extends Error {}

function complete(deps: Deps, job: BuildJob, site: BuiltSite): Promise<void> {
  const { id, teamId, projectId } = job
  const nowMs = deps.nowMs()
  return deps.store.transact(async (tx, announce) => {
    // Blobs are locked before the project, as in creating a deployment.
    const { id: manifestId } = await insertManifest(tx, { teamId, ...site, isServed: true }, nowMs)
    const { deployment } = await lockWithProject(tx, teamId, id)
    const [made] = await tx
      .update(deployments)
      .set({
        state: 'ready',
        manifestId,
        files: site.entries.length,
        bytes: site.bytes,
        readyMs: nowMs,
        endedMs: nowMs,
        ...withoutWorker,
      })
      .where(isHeld(job))
      .returning({ ...ownColumns, createdMs: deployments.createdMs })
    if (!made) throw new NotHeld()
    await releaseManifests(tx, [job.sourceManifestId], nowMs)
    const { createdMs, ...row } = made
    const promoted =
      row.target === 'production' && (await promoteByItself(tx, projectId, { id, createdMs }, nowMs))
    const live = Boolean(promoted)
    if (live) announce({ kind: 'project', id: projectId })
    announce({ kind: 'host', id: row.host })
    announce({ kind: 'deployment', id })
    const record = toRecord(deps, {
      ...deployment,
      ...row,
      live,
      live_since_ms: live ? nowMs : null,
    })
    const owner = { teamId, projectId }
    const happened = [deploymentEvent('ready', owner, record)]
    if (promoted)
      happened.push(promotedEvent(owner, record, { previous: promoted.previous, rollback: false }))
    await recordEvents(tx, announce, { origin: null, nowMs }, happened)
  })
}
