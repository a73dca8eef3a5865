/** Completes a build: its output becomes what the deployment serves. */
import { AppError } from '../../../lib/errors.ts'
import { type DeploymentServer, deployments } from '../../../stores/db/schema/projects.ts'
import type { Store } from '../../../stores/db/store.ts'
import type { Transaction } from '../../../stores/db/transaction.ts'
import { recordEvents } from '../../../stores/events/record-events.ts'
import { wholeTeam } from '../../callers/scope.ts'
import type { SiteUrls } from '../../projects/host-label.ts'
import { rememberNames } from '../../sites/hashed-names/remember-names.ts'
import { insertManifest, type NewManifest } from '../../sites/manifest.ts'
import type { Site } from '../../sites/site.ts'
import { firstWarnings } from '../../sites/warnings/warning.ts'
import { deploymentEvent, promotedEvent } from '../deployment-event.ts'
import { lockWithProject, promoteByItself } from '../promote.ts'
import { moveAddress } from '../pull-request-address.ts'
import { ownColumns, toRecord } from '../read-deployment.ts'
import { cancelWithoutRight } from './cancel-without-right.ts'
import type { BuildJob } from './claim-build.ts'
import { isHeld, withoutWorker } from './held.ts'

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/** A site, and its server with the files of that; `bytes` are those of all files together. */
export type BuiltSite = Site & { bytes: number; server?: BuiltServer }

type BuiltServer = DeploymentServer & {
  kept: Required<Pick<NewManifest, 'entries' | 'links' | 'executables'>>
}

/**
 * Makes the deployment ready, and live by the usual rules, in one transaction. False if the worker has lost
 * the build: then nothing has changed, and its output is collected.
 * @throws AppError `files_missing` when a blob was collected since it was looked up.
 */
export async function completeBuild(deps: Deps, job: BuildJob, site: BuiltSite): Promise<boolean> {
  try {
    if (!(await maySucceed(deps, job))) return false
    await complete(deps, job, site)
    return true
  } catch (error) {
    const isGone = error instanceof AppError && error.reason === 'deployment_not_found'
    if (error instanceof NotHeld || isGone) return false
    throw error
  }
}

/** Its maker may have lost the right to it while it ran. */
async function maySucceed(deps: Deps, { id }: BuildJob): Promise<boolean> {
  const ids = await deps.store.transact((tx) =>
    cancelWithoutRight({ ...deps, tx, nowMs: deps.nowMs() }, [id]),
  )
  return ids.length > 0
}

/** Rolls the transaction back. */
class NotHeld extends Error {}

function complete(deps: Deps, job: BuildJob, site: BuiltSite): Promise<void> {
  const { id, teamId, projectId } = job
  const { entries, rules, server: built } = site
  const nowMs = deps.nowMs()
  return deps.store.transact(async (tx) => {
    // Blobs are locked before the project, as in creating a deployment.
    const manifest = { teamId, entries, rules, isServed: true }
    const { id: manifestId, hashed } = await insertManifest(tx, manifest, nowMs)
    const server = built && (await keepServer(tx, teamId, built, nowMs))
    const { deployment } = await lockWithProject(tx, wholeTeam(teamId), id)
    const [made] = await tx
      .update(deployments)
      .set({
        state: 'ready',
        manifestId,
        ...server,
        files: entries.length + (built?.kept.entries.length ?? 0),
        bytes: site.bytes,
        warnings: firstWarnings([...deployment.warnings, ...site.warnings]),
        readyMs: nowMs,
        endedMs: nowMs,
        ...withoutWorker,
      })
      .where(isHeld(job))
      .returning({ ...ownColumns, createdMs: deployments.createdMs })
    if (!made) throw new NotHeld()
    const { createdMs, ...row } = made
    const promoted =
      row.target === 'production' &&
      !row.untrusted &&
      (await promoteByItself(tx, projectId, { id, createdMs }, nowMs))
    const { meta, untrusted } = row
    const ready = { id, teamId, projectId, createdMs, meta, untrusted }
    const otherHost = await moveAddress(tx, ready, nowMs)
    if (!untrusted) await rememberNames(tx, { projectId, manifestId }, hashed)
    const live = Boolean(promoted)
    if (live) tx.announce({ kind: 'project', id: projectId })
    tx.announce({ kind: 'host', id: row.host })
    tx.announce({ kind: 'deployment', id })
    const record = toRecord(deps, {
      ...deployment,
      ...row,
      branch_hosts: otherHost === undefined ? [] : [otherHost],
      live,
      live_since_ms: live ? nowMs : null,
    })
    const owner = { teamId, projectId }
    const happened = [deploymentEvent('ready', owner, record)]
    if (promoted)
      happened.push(promotedEvent(owner, record, { previous: promoted.previous, rollback: false }))
    await recordEvents(tx, { origin: null, nowMs }, happened)
  })
}

/** Writes the files of a server; returns the columns of its deployment. */
async function keepServer(
  tx: Transaction,
  teamId: string,
  { kept, ...server }: BuiltServer,
  nowMs: number,
): Promise<Pick<typeof deployments.$inferInsert, 'server' | 'serverManifestId'>> {
  const { id } = await insertManifest(tx, { teamId, ...kept, rules: null, isServed: false }, nowMs)
  return { server, serverManifestId: id }
}
