/** Claims a name or configures the claim; safe to repeat. */
import { and, eq, isNotNull } from 'drizzle-orm'
import { holdTeam } from '../auth/teams/lock.ts'
import type { Database } from '../db/open.ts'
import { domains } from '../db/schema/domains.ts'
import { type DomainName, readDomainName, reverseName } from '../domain-name.ts'
import { AppError, invalidField } from '../errors.ts'
import { isId, newId } from '../ids.ts'
import { holdProject } from '../projects/hold.ts'
import { changeFamilies } from '../zones/family.ts'
import { settleVerified } from '../zones/settle-verified.ts'
import { changeClaim } from './claim.ts'
import { isPlatformName, type Platform } from './platform-names.ts'
import { newProof } from './proof.ts'
import { type DomainRecord, getDomain, type ReadDeps } from './read.ts'
import { checkRedirect, type Redirect, readRedirect } from './redirect.ts'

/** What a caller may set; a field left out keeps its value, `null` clears it. */
export type DomainChanges = {
  /** A name or id. */
  project?: string | null | undefined
  redirect?: Redirect | null | undefined
}

type Deps = ReadDeps & Platform & { nowMs: () => number }

/**
 * Claims the name `reference`, or changes the claim that it names or identifies. A name below one that the team has
 * proven is verified at once.
 * @throws AppError `invalid_input`, `domain_not_found` (an unknown id), `project_not_found`, `name_in_use` (verified by
 * another team), `team_not_found` (the team was deleted at that moment).
 */
export async function putDomain(
  deps: Deps,
  teamId: string,
  reference: string,
  changes: DomainChanges,
): Promise<DomainRecord> {
  const nowMs = deps.nowMs()
  const name = isId('domain', reference) ? undefined : readName(reference)
  const redirect = changes.redirect ? readRedirect(changes.redirect) : changes.redirect
  const id = await deps.store.transact(async (tx, announce) => {
    // Team, project, family: whoever deletes one of the first two locks in this order, too.
    await holdTeam(tx, teamId)
    const projectId = changes.project ? await holdProject(tx, teamId, changes.project) : changes.project
    if (name) await changeFamilies(tx, announce, [name.registrable], nowMs)
    const claim = name
      ? ((await findByName(tx, teamId, name)) ?? (await createClaim(tx, deps, teamId, name, nowMs)))
      : await changeClaim(tx, announce, teamId, reference, nowMs)
    if (redirect) checkRedirect(claim.domain, redirect)
    await tx
      .update(domains)
      .set({
        ...(projectId !== undefined && { projectId }),
        ...(redirect !== undefined && {
          redirectTo: redirect?.to ?? null,
          redirectStatus: redirect?.status ?? null,
        }),
        updatedMs: nowMs,
      })
      .where(eq(domains.id, claim.id))
    return claim.id
  })
  return getDomain(deps, teamId, id)
}

function readName(reference: string): DomainName {
  const name = readDomainName(reference)
  if ('problem' in name) throw invalidField('domain', name.problem)
  return name
}

type Known = { id: string; domain: string }

async function findByName(tx: Database, teamId: string, { domain }: DomainName): Promise<Known | undefined> {
  const [known] = await tx
    .select({ id: domains.id, domain: domains.domain })
    .from(domains)
    .where(and(eq(domains.teamId, teamId), eq(domains.domain, domain)))
  return known
}

/** The family must be locked, so that nobody else makes or proves a claim of the name at the same time. */
async function createClaim(
  tx: Database,
  platform: Platform,
  teamId: string,
  name: DomainName,
  nowMs: number,
): Promise<Known> {
  const { domain, registrable } = name
  if (isPlatformName(domain, platform)) {
    throw invalidField('domain', `${domain} belongs to this service: claim a name of your own`)
  }
  const [taken] = await tx
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.domain, domain), isNotNull(domains.verifiedMs)))
  if (taken) {
    throw new AppError(
      'name_in_use',
      `Another team has proven that ${domain} is its own, until it deletes it or its proof has been gone for 7 days.`,
    )
  }
  const id = newId('domain', nowMs)
  await tx.insert(domains).values({
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
  await settleVerified(tx, name, nowMs)
  return { id, domain }
}
