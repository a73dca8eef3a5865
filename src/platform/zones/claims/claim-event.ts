/** The data of domain events. */
import { sql } from 'drizzle-orm'
import { domains } from '../../../stores/db/schema/domains.ts'
import type { Change } from '../../../stores/events/changes.ts'
import type { NewEvent } from '../../../stores/events/record-events.ts'

/** Whose a claim is, and what is told of it; `project` is a name. */
export type ClaimSummary = {
  id: string
  teamId: string
  domain: string
  projectId: string | null
  project: string | null
  verified: boolean
}

/** The columns of a claim that are told. */
export const summaryColumns = {
  id: domains.id,
  teamId: domains.teamId,
  domain: domains.domain,
  projectId: domains.projectId,
  project: sql<string | null>`(select projects.name from projects where projects.id = domains.project_id)`,
  verified: sql<boolean>`${domains.verifiedMs} is not null`,
}

/** The event of a change of a claim, which is `claim` now. */
export function domainEvent(
  kind: 'verified' | 'unverified' | 'deleted',
  { teamId, projectId, ...claim }: ClaimSummary,
): NewEvent {
  const { id, domain, project, verified } = claim
  const data = { domain: { id, domain, project, verified } }
  return { teamId, type: `domain.${kind}`, ...(projectId !== null && { projectId }), data }
}

/** The event of a new claim, with the settings that it got beside its project. */
export function domainCreatedEvent(claim: ClaimSummary, changes: Change[]): NewEvent {
  const { teamId, projectId, id, domain, project, verified } = claim
  const data = { domain: { id, domain, project, verified }, ...(changes.length > 0 && { changes }) }
  return { teamId, type: 'domain.created', ...(projectId !== null && { projectId }), data }
}

/**
 * The event of changed settings of a claim, which is `claim` now and was in the project `before`. One that
 * goes from a project to another is in the trail of neither, whose members may not know the other's name.
 */
export function domainUpdatedEvent(
  { teamId, projectId, ...claim }: ClaimSummary,
  before: string | null,
  changes: Change[],
): NewEvent {
  const { id, domain, project, verified } = claim
  const isBetween = before !== null && projectId !== null && before !== projectId
  const of = isBetween ? null : (projectId ?? before)
  const data = { domain: { id, domain, project, verified }, changes }
  return { teamId, type: 'domain.updated', ...(of !== null && { projectId: of }), data }
}

/** The events of claims that have just become verified, or have just stopped being so. */
export function settledEvents(settled: ClaimSummary[]): NewEvent[] {
  return settled.map((claim) => domainEvent(claim.verified ? 'verified' : 'unverified', claim))
}

/** The event of a certificate that could not be issued; `error` says why. */
export function certificateFailedEvent(
  { teamId, projectId, ...claim }: ClaimSummary,
  error: { reason: string; message: string },
): NewEvent {
  const { id, domain, project, verified } = claim
  const data = { domain: { id, domain, project, verified }, error }
  return { teamId, type: 'domain.certificate_failed', ...(projectId !== null && { projectId }), data }
}

/** The event of a certificate that was issued. */
export function certificateIssuedEvent(
  { teamId, projectId, ...claim }: ClaimSummary,
  { notAfterMs, renewal }: { notAfterMs: number; renewal: boolean },
): NewEvent {
  const { id, domain, project, verified } = claim
  const data = {
    domain: { id, domain, project, verified },
    certificate: { not_after_ms: notAfterMs, renewal },
  }
  return { teamId, type: 'domain.certificate_issued', ...(projectId !== null && { projectId }), data }
}
