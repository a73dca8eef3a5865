/** Writes a deployment with its manifest and host, and what follows from that. */
import { eq, sql } from 'drizzle-orm'
import { newId } from '../../lib/ids.ts'
import { needsWorker } from '../../lib/needs-worker.ts'
import type { KnownBlob } from '../../stores/blobs/rows.ts'
import { type DeploymentBuild, deployments, projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Deployer, originOf } from '../callers/actor.ts'
import type { Remember } from '../idempotency/once.ts'
import { assignLabel, type SiteUrls, takeDeploymentLabel } from '../projects/host-label.ts'
import type { KnownProject } from '../projects/read-project.ts'
import { rememberNames } from '../sites/hashed-names/remember-names.ts'
import { insertManifest } from '../sites/manifest.ts'
import type { Site } from '../sites/site.ts'
import { firstWarnings, leftOutWarning } from '../sites/warnings/warning.ts'
import { deploymentEvent, promotedEvent } from './deployment-event.ts'
import type { DeploymentRecord } from './deployment-output.ts'
import type { Sources } from './find-sources.ts'
import { promoteByItself } from './promote.ts'
import { moveAddress } from './pull-request-address.ts'
import { buildQueue } from './queued/claim-build.ts'
import { checkQueue, findQueuePosition } from './queued/turns.ts'
import { ownColumns, toRecord } from './read-deployment.ts'
import type { DeploymentInput } from './requested-sources.ts'
import { sourceColumns } from './source-columns.ts'

export type WriteDeps = SiteUrls & {
  store: Store
  nowMs: () => number
  /** How many deployments of a team may be queued. */
  maxQueuedBuilds: number
}

/** A deployment that may be made: where it needs a worker it waits for its build. */
export type NewDeployment = {
  project: KnownProject
  build: DeploymentBuild
  sources: Sources
  input: DeploymentInput
  remember: Remember | undefined
}

/**
 * Writes a deployment, in one transaction. `changed` are the blobs that it changed.
 * @throws AppError `files_missing` when a blob was collected since it was looked up, `too_many_queued`.
 */
export async function writeDeployment(
  deps: WriteDeps,
  actor: Deployer,
  { project, build, sources, input, remember }: NewDeployment,
  { entries, rules, warnings }: Site,
): Promise<{ record: DeploymentRecord; changed: KnownBlob[] }> {
  const { principal } = actor
  const { teamId, userId } = principal
  const { target, meta } = sources
  const createdMs = deps.nowMs()
  const id = newId('deployment', createdMs)
  const leftOut = input.zip?.leftOut ?? []
  // Prepared statements, here and below: planned once per connection, and sent in one message instead of two.
  return deps.store.transact(async (tx) => {
    const isServed = !needsWorker(build)
    if (!isServed) await checkQueue(tx, teamId, deps.maxQueuedBuilds)
    const manifest = await insertManifest(tx, { teamId, entries, rules, isServed }, createdMs)
    const host = await takeDeploymentLabel(tx, teamId, project.name)
    const assigned = tx
      .$with('assigned')
      .as(assignLabel(tx, host, { projectId: project.id, deploymentId: id }))
    const active = tx.$with('active').as(
      tx
        .update(projects)
        .set({ activeMs: sql`greatest(${projects.activeMs}, ${createdMs}::bigint)` })
        .where(eq(projects.id, project.id))
        .returning({ id: projects.id }),
    )
    const [made] = await tx
      .with(assigned, active)
      .insert(deployments)
      .values({
        id,
        teamId,
        projectId: project.id,
        host,
        target,
        build,
        buildGiven: sources.build,
        spa: sources.spa,
        meta,
        ...sourceColumns(tx, actor, input),
        ...(isServed
          ? { state: 'ready', manifestId: manifest.id, readyMs: createdMs, endedMs: createdMs }
          : { state: 'queued', sourceManifestId: manifest.id }),
        files: sources.files.length,
        bytes: sources.bytes,
        warnings: firstWarnings([...leftOut.map(leftOutWarning), ...warnings]),
        createdBy: userId,
        createdMs,
      })
      .returning(ownColumns)
      .prepare(isServed ? 'insert_deployment' : 'insert_queued_deployment')
      .execute()
    if (!made) throw new Error('An insert returned no row.')
    const isToPromote = isServed && target === 'production' && !made.untrusted
    const promoted = isToPromote && (await promoteByItself(tx, project.id, { id, createdMs }, createdMs))
    const ready = { id, teamId, projectId: project.id, createdMs, meta, untrusted: made.untrusted }
    const otherHost = isServed ? await moveAddress(tx, ready, createdMs) : undefined
    // After the project is locked, as when a build completes.
    if (!made.untrusted)
      await rememberNames(tx, { projectId: project.id, manifestId: manifest.id }, manifest.hashed)
    const live = Boolean(promoted)
    if (live) tx.announce({ kind: 'project', id: project.id })
    tx.announce({ kind: 'host', id: host })
    if (!isServed) tx.announce({ kind: 'work', id: buildQueue })
    const record = toRecord(deps, {
      ...made,
      branch_hosts: otherHost === undefined ? [] : [otherHost],
      live_since_ms: live ? createdMs : null,
      live,
      project: project.name,
      production_host: project.production_host,
      production_domains: project.production_domains,
      preview_ttl_days: project.preview_ttl_days,
      queue_position: isServed ? null : await findQueuePosition(tx, teamId, id),
    })
    const owner = { teamId, projectId: project.id }
    const happened = [deploymentEvent('created', owner, record)]
    if (isServed) happened.push(deploymentEvent('ready', owner, record))
    if (promoted)
      happened.push(promotedEvent(owner, record, { previous: promoted.previous, rollback: false }))
    await recordEvents(tx, { origin: originOf(actor), nowMs: createdMs }, happened)
    const response = leftOut.length > 0 ? { ...record, left_out: leftOut } : record
    await remember?.(tx, response)
    return { record: response, changed: manifest.changed }
  })
}
