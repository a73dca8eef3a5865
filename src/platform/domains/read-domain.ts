/** Reads domains. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Store } from '../../stores/db/store.ts'
import { type Scope, sees } from '../callers/scope.ts'
import { domainNotFound, readReference } from '../zones/claims/claim-name.ts'
import type { Routing } from '../zones/edge-targets.ts'
import type { DomainRecord } from './domain-output.ts'
import { expectedRecords } from './expected.ts'
import { verificationOf } from './proof.ts'

const issued = alias(certificates, 'issued')
const own = alias(certificates, 'own')

const columns = {
  id: domains.id,
  domain: domains.domain,
  registrable: domains.registrable,
  project: projects.name,
  redirect_to: domains.redirectTo,
  redirect_status: domains.redirectStatus,
  proof: domains.proof,
  configured: domains.configured,
  seen: domains.seen,
  error_reason: domains.errorReason,
  error_message: domains.errorMessage,
  created_ms: domains.createdMs,
  verified_ms: domains.verifiedMs,
  checked_ms: domains.checkedMs,
  next_check_ms: domains.nextCheckMs,
  issued: {
    name: issued.name,
    not_after_ms: issued.notAfterMs,
    error_reason: issued.errorReason,
    error_message: issued.errorMessage,
  },
  own_not_after_ms: own.notAfterMs,
}

/** The query for domains with all that `toRecord` needs. */
export function selectDomains(db: Database) {
  return db
    .select({ ...columns, project_id: domains.projectId })
    .from(domains)
    .leftJoin(projects, eq(projects.id, domains.projectId))
    .leftJoin(
      issued,
      and(eq(issued.name, domains.domain), eq(issued.source, 'acme'), eq(issued.domainId, domains.id)),
    )
    .leftJoin(own, and(eq(own.name, domains.domain), eq(own.source, 'own'), eq(own.domainId, domains.id)))
}

type Row = Awaited<ReturnType<typeof selectDomains>>[number]

export type ReadDeps = { store: Store; routing: Routing; nameservers: string[]; nowMs: () => number }

/** A row as a record. */
export function toRecord({ routing, nameservers, nowMs }: Omit<ReadDeps, 'store'>, row: Row): DomainRecord {
  const { registrable, proof, redirect_to, redirect_status, error_reason, error_message, ...rest } = row
  const { issued, own_not_after_ms, project_id: _, ...columns } = rest
  const redirects = redirect_to !== null && redirect_status !== null
  return {
    ...columns,
    redirect: redirects ? { to: redirect_to, status: redirect_status } : null,
    verified: row.verified_ms !== null,
    verification: verificationOf(row),
    expected: expectedRecords(row, routing),
    error: error_reason === null ? null : { reason: error_reason, message: error_message ?? '' },
    tls: tlsOf({ issued, own_not_after_ms }, nowMs()),
    nameservers,
  }
}

/** The team's own certificate wins. A failed renewal shows while the last certificate still serves. */
function tlsOf({ issued, own_not_after_ms }: Pick<Row, 'issued' | 'own_not_after_ms'>, nowMs: number) {
  const isOwn = own_not_after_ms !== null
  const notAfterMs = own_not_after_ms ?? issued?.not_after_ms ?? null
  const { error_reason: reason = null, error_message: message } = (!isOwn && issued) || {}
  const error = reason === null ? null : { reason, message: message ?? '' }
  const isActive = notAfterMs !== null && notAfterMs > nowMs
  const otherwise = error || isOwn ? 'failed' : issued ? 'pending' : 'none'
  return { state: isActive ? 'active' : otherwise, not_after_ms: notAfterMs, error, own: isOwn }
}

function selectBy(db: Database, reference: SQL) {
  return selectDomains(db).where(and(eq(domains.teamId, sql.placeholder('teamId')), reference))
}

const byName = prepared((db) =>
  selectBy(db, eq(domains.domain, sql.placeholder('domain'))).prepare('domain_by_name'),
)
const byId = prepared((db) => selectBy(db, eq(domains.id, sql.placeholder('id'))).prepare('domain_by_id'))

/** The domain by name, in any spelling, or id, if the caller sees it. @throws AppError `domain_not_found`. */
export async function getDomain(deps: ReadDeps, scope: Scope, reference: string): Promise<DomainRecord> {
  const wanted = readReference(reference)
  const query = 'id' in wanted ? byId(deps.store.lookUps) : byName(deps.store.lookUps)
  const [row] = await query.execute({ teamId: scope.teamId, ...wanted })
  if (!row || !sees(scope, row.project_id)) throw domainNotFound(reference)
  return toRecord(deps, row)
}
