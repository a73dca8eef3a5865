/** Share links: each opens one protected host of a project to whoever has it, until it ends. */
import { hash, randomBytes } from 'node:crypto'
import { and, count, desc, eq, gt, lte } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import { members, users } from '../../stores/db/schema/teams.ts'
import { shareLinks } from '../../stores/db/schema/visitors.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdCaller } from '../callers/hold-caller.ts'
import { makerColumns, makerEnd, ofMaker } from '../callers/maker-right.ts'
import type { Scope } from '../callers/scope.ts'
import { endVisits } from '../projects/access-version.ts'
import type { SiteUrls } from '../projects/host-label.ts'
import { findProjectId } from '../projects/read-project.ts'
import { shareParameter } from './paths.ts'
import { hostNameOf, type LinkedProject, lockProject, lockProjectAt, placeOf } from './share-link-host.ts'
import type { NewShareLink, ShareLinkReference } from './share-link-input.ts'
import type { NewShareLinkRecord, ShareLinkRecord } from './share-link-output.ts'

const maxLinks = 50

const dayMs = 86_400_000
const defaultMs = 7 * dayMs
const maxDays = 90

/** 192 bits, so that its SHA-256 is all that has to be stored. */
const secretBytes = 24

type Deps = SiteUrls & { store: Store; nowMs: () => number }

/**
 * Makes a link to a host of the team's project; `url` opens it.
 * @throws AppError `project_not_found`, `invalid_input` for a host that isn't the project's or a time that is
 * over or too far, `too_many_share_links`; as `holdCaller` does.
 */
export async function createShareLink(
  deps: Deps,
  actor: Actor,
  { project: reference, host, expires_ms }: NewShareLink,
): Promise<NewShareLinkRecord> {
  const nowMs = deps.nowMs()
  const expiresMs = checkExpiry(expires_ms ?? nowMs + defaultMs, nowMs)
  const secret = randomBytes(secretBytes).toString('base64url')
  return deps.store.transact(async (tx) => {
    const scope = actor.principal
    await holdCaller(tx, actor.principal)
    // Also serializes creations.
    const project =
      reference === undefined
        ? await lockProjectAt(tx, deps.sitesUrl, scope, host ?? '')
        : await lockProject(tx, scope, reference)
    const place = await placeOf(tx, deps, project, host)
    await makeRoom(tx, project.id, nowMs)
    const id = newId('shareLink', nowMs)
    const secretSha256 = hash('sha256', secret)
    await tx.insert(shareLinks).values({
      id,
      projectId: project.id,
      host: place.host,
      secretSha256,
      createdBy: scope.userId,
      createdMs: nowMs,
      expiresMs,
    })
    const made = { id, host: place.host, expiresMs }
    await recordLink(tx, deps, { actor, type: 'share_link.created', project, link: made, nowMs })
    const url = `${place.origin}/?${shareParameter}=${secret}`
    return { ...(await readLink(tx, deps, id)), url, project: project.name, open: place.isOpen }
  })
}

/**
 * The links of the team's project whose time isn't over, newest first.
 * @throws AppError `project_not_found`.
 */
export async function listShareLinks(
  { store, sitesUrl, nowMs }: Deps,
  scope: Scope,
  reference: string,
): Promise<{ data: ShareLinkRecord[] }> {
  const projectId = await findProjectId(store.lookUps, scope, reference)
  const rows = await select(store.db)
    .where(and(eq(shareLinks.projectId, projectId), gt(shareLinks.expiresMs, nowMs())))
    .orderBy(desc(shareLinks.createdMs), desc(shareLinks.id))
    .limit(maxLinks)
  return { data: rows.map((row) => toRecord(sitesUrl, row)) }
}

/**
 * Revokes a link: whoever came with it, or with another one of the project, is out within a second, and comes
 * back with a link that goes on.
 * @throws AppError `project_not_found`, `share_link_not_found`; as `holdCaller` does.
 */
export async function revokeShareLink(
  deps: Deps,
  actor: Actor,
  { project: reference, id }: ShareLinkReference,
): Promise<{ id: string; deleted: true }> {
  await deps.store.transact(async (tx) => {
    await holdCaller(tx, actor.principal)
    const project = await lockProject(tx, actor.principal, reference)
    const [gone] = await tx
      .delete(shareLinks)
      .where(and(eq(shareLinks.id, id), eq(shareLinks.projectId, project.id)))
      .returning({ id: shareLinks.id, host: shareLinks.host, expiresMs: shareLinks.expiresMs })
    if (!gone) throw new AppError('share_link_not_found', 'The project has no such share link.')
    await endVisits(tx, project.id)
    const nowMs = deps.nowMs()
    await recordLink(tx, deps, { actor, type: 'share_link.revoked', project, link: gone, nowMs })
  })
  return { id, deleted: true }
}

function checkExpiry(expiresMs: number, nowMs: number): number {
  if (expiresMs <= nowMs) throw invalidField('expires_ms', 'must be a time to come')
  if (expiresMs > nowMs + maxDays * dayMs)
    throw invalidField('expires_ms', `must be within ${maxDays} days from now`)
  return expiresMs
}

async function makeRoom(tx: Database, projectId: string, nowMs: number): Promise<void> {
  const ofProject = eq(shareLinks.projectId, projectId)
  await tx.delete(shareLinks).where(and(ofProject, lte(shareLinks.expiresMs, nowMs)))
  const [kept] = await tx.select({ links: count() }).from(shareLinks).where(ofProject)
  if ((kept?.links ?? 0) < maxLinks) return
  const message = `A project has at most ${maxLinks} share links. Revoke one first.`
  throw new AppError('too_many_share_links', message)
}

type Happened = {
  actor: Actor
  type: 'share_link.created' | 'share_link.revoked'
  project: LinkedProject
  link: { id: string; host: string; expiresMs: number }
  nowMs: number
}

function recordLink(tx: Transaction, { sitesUrl }: Deps, happened: Happened): Promise<void> {
  const { actor, type, project, link, nowMs } = happened
  const host = hostNameOf(sitesUrl, link.host)
  const data = { share_link: { id: link.id, project: project.name, host, expires_ms: link.expiresMs } }
  return recordEvents(tx, { origin: originOf(actor), nowMs }, [
    { teamId: actor.principal.teamId, type, projectId: project.id, data },
  ])
}

function select(db: Database) {
  return db
    .select({
      id: shareLinks.id,
      host: shareLinks.host,
      created_by: shareLinks.createdBy,
      created_by_name: users.name,
      created_ms: shareLinks.createdMs,
      expires_ms: shareLinks.expiresMs,
      projectId: shareLinks.projectId,
      ...makerColumns,
    })
    .from(shareLinks)
    .innerJoin(projects, eq(projects.id, shareLinks.projectId))
    .innerJoin(users, eq(users.id, shareLinks.createdBy))
    .leftJoin(members, ofMaker({ teamId: projects.teamId, createdBy: shareLinks.createdBy }))
}

type Row = Awaited<ReturnType<typeof select>>[number]

function toRecord(sitesUrl: string, { projectId, makerRole, makerProjects, ...row }: Row): ShareLinkRecord {
  const ended = makerEnd({ makerRole, makerProjects }, { role: 'member', projectId })
  return { ...row, host: hostNameOf(sitesUrl, row.host), ended }
}

async function readLink(tx: Database, { sitesUrl }: Deps, id: string): Promise<ShareLinkRecord> {
  const [row] = await select(tx).where(eq(shareLinks.id, id))
  if (!row) throw new Error('An insert left no row.')
  return toRecord(sitesUrl, row)
}
