/** Claims a name or configures the claim; idempotent. */
import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNotNull } from 'drizzle-orm'
import { AppError, invalidField } from '../../lib/errors.ts'
import { isId, newId } from '../../lib/ids.ts'
import { type DomainName, readDomainName, reverseName } from '../../lib/names/domain-name.ts'
import { isLocalName } from '../../lib/names/local-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import type { NewEvent } from '../../stores/events/record-events.ts'
import type { Actor } from '../callers/actor.ts'
import { holdProject } from '../projects/lock.ts'
import { holdTeam } from '../teams/lock.ts'
import { domainCreatedEvent, settledEvents, summaryColumns } from '../zones/claims/claim-event.ts'
import { type Claim, domainNotFound, findClaim } from '../zones/claims/claim-name.ts'
import { settleVerified } from '../zones/claims/settle-verified.ts'
import { changeFamilies } from '../zones/family.ts'
import type { DomainChanges } from './domain-input.ts'
import type { DomainRecord } from './domain-output.ts'
import { keepOwnCertificate } from './own-certificate.ts'
import { isPlatformName, type Platform } from './platform-names.ts'
import { newProof } from './proof.ts'
import { getDomain, type ReadDeps } from './read-domain.ts'
import { recordDomainEvents } from './record-domain-events.ts'
import { recordUpdate, redirectChanges } from './record-update.ts'
import { checkRedirect, type Redirect, readRedirect } from './redirect.ts'

type Deps = ReadDeps &
  Platform & {
    /** Whether names inside the operator's network may be claimed. */
    resolvePrivate: boolean
    /** Seals keys of certificates. */
    certificateKey: Buffer
  }

/**
 * Claims the name `reference`, or changes the claim with that name or id. A name below a proven one of the
 * team is verified at once. Unchanged values aren't written.
 * @throws AppError `invalid_input`, `domain_not_found` (an unknown id), `project_not_found`, `name_in_use`
 * (verified by another team), `team_not_found` (the team was deleted at that moment).
 */
export async function putDomain(
  deps: Deps,
  actor: Actor,
  reference: string,
  changes: DomainChanges,
): Promise<DomainRecord> {
  const { principal } = actor
  const { teamId } = principal
  const nowMs = deps.nowMs()
  const name = isId('domain', reference) ? undefined : readName(reference)
  const redirect = changes.redirect ? readRedirect(changes.redirect) : changes.redirect
  const id = await deps.store.transact(async (tx) => {
    // Team, project, family: deleting one of the first two locks in this order, too.
    await holdTeam(tx, teamId)
    const projectId = changes.project ? await holdProject(tx, principal, changes.project) : changes.project
    const named = name ?? (await findClaim(tx, teamId, reference))
    if (redirect) checkRedirect(named.domain, redirect)
    const wanted = settingsOf(projectId, redirect)
    const keepCertificate = async (claim: Pick<Claim, 'id' | 'teamId' | 'domain'>) => {
      if (changes.certificate === undefined) return []
      const given = { tx, sealKey: deps.certificateKey, nowMs }
      return keepOwnCertificate(given, claim, changes.certificate)
    }
    const seen = await findByName(tx, teamId, named)
    if (changes.certificate && !seen?.verifiedMs) throw notVerified(named)
    const ofCertificate = seen ? await keepCertificate(seen) : []
    const by = { actor, nowMs }
    if (seen && isDeepStrictEqual({ ...seen, ...wanted }, seen)) {
      await recordUpdate(tx, by, seen, ofCertificate)
      return seen.id
    }
    await changeFamilies(tx, [named.registrable], nowMs)
    // The domain may have been created, changed or deleted while this waited for the lock.
    const known = await findByName(tx, teamId, named)
    if (!name && known?.id !== reference) throw domainNotFound(reference)
    if (known) {
      await tx
        .update(domains)
        .set({ ...wanted, updatedMs: nowMs })
        .where(eq(domains.id, known.id))
      await recordUpdate(tx, by, known, ofCertificate)
      return known.id
    }
    const { id, happened } = await createClaim(tx, deps, { teamId, name: named, settings: wanted, nowMs })
    await recordDomainEvents(tx, by, happened)
    return id
  })
  return getDomain(deps, principal, id)
}

/** Another team may own the name. */
function notVerified({ domain }: DomainName): AppError {
  return invalidField('certificate', `is only for verified domains: verify ${domain} first`)
}

type Settings = Partial<Pick<Claim, 'projectId' | 'redirectTo' | 'redirectStatus'>>

/** The columns to store; undefined values are left out. */
function settingsOf(projectId: string | null | undefined, redirect: Redirect | null | undefined): Settings {
  return {
    ...(projectId !== undefined && { projectId }),
    ...(redirect !== undefined && {
      redirectTo: redirect?.to ?? null,
      redirectStatus: redirect?.status ?? null,
    }),
  }
}

function readName(reference: string): DomainName {
  const name = readDomainName(reference)
  if ('problem' in name) throw invalidField('domain', name.problem)
  return name
}

async function findByName(tx: Database, teamId: string, { domain }: DomainName): Promise<Claim | undefined> {
  const [known] = await tx
    .select()
    .from(domains)
    .where(and(eq(domains.teamId, teamId), eq(domains.domain, domain)))
  return known
}

type NewClaim = { teamId: string; name: DomainName; settings: Settings; nowMs: number }

/**
 * The family must be locked, so that nobody else creates or proves a claim of the name at the same time.
 * Resolves to the claim's id, and to the event's data.
 */
async function createClaim(
  tx: Database,
  { resolvePrivate, ...platform }: Platform & Pick<Deps, 'resolvePrivate'>,
  { teamId, name, settings, nowMs }: NewClaim,
): Promise<{ id: string; happened: NewEvent[] }> {
  const { domain, registrable } = name
  if (isPlatformName(domain, platform)) {
    throw invalidField('domain', `${domain} belongs to this service: claim a name of your own`)
  }
  if (isLocalName(domain) && !resolvePrivate) {
    throw invalidField('domain', `${domain} is not a public name: claim a registered name`)
  }
  const [taken] = await tx
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.domain, domain), isNotNull(domains.verifiedMs)))
  if (taken) {
    throw new AppError(
      'name_in_use',
      `Another team has verified ${domain}, until it deletes it or its proof has been missing for 7 days.`,
    )
  }
  const id = newId('domain', nowMs)
  const created = await tx
    .insert(domains)
    .values({
      ...settings,
      id,
      teamId,
      domain,
      reversed: reverseName(domain),
      registrable,
      proof: newProof(),
      nextCheckMs: nowMs,
      createdMs: nowMs,
      updatedMs: nowMs,
    })
    .returning(summaryColumns)
  const settled = await settleVerified(tx, [{ domain, registrable }], nowMs)
  const none = { redirectTo: null, redirectStatus: null }
  const changes = redirectChanges(none, { ...none, ...settings })
  const happened = [...created.map((each) => domainCreatedEvent(each, changes)), ...settledEvents(settled)]
  return { id, happened }
}
