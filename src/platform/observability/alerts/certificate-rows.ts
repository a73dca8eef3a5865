/** The certificates in the database that are served, and those that the platform wants for itself. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { certificates } from '../../../stores/db/schema/certificates.ts'
import { domains } from '../../../stores/db/schema/domains.ts'
import { type Served, soonMs, soonPart } from './certificate-alerts.ts'

const dayMs = 24 * 60 * 60_000

/** Whoever hasn't missed it by then doesn't need it. */
const forgottenMs = 30 * dayMs

const mostDue = 20

/** One a name: its team's own wins. That of a domain counts while that is its team's, and leads here. */
function servedRows(db: Database) {
  return db
    .selectDistinctOn([certificates.name], {
      name: certificates.name,
      source: certificates.source,
      notBeforeMs: certificates.notBeforeMs,
      notAfterMs: certificates.notAfterMs,
      error: certificates.errorMessage,
      domainId: certificates.domainId,
    })
    .from(certificates)
    .leftJoin(domains, eq(domains.id, certificates.domainId))
    .where(
      and(
        isNotNull(certificates.chain),
        or(isNull(certificates.domainId), and(isNotNull(domains.verifiedMs), eq(domains.configured, true))),
      ),
    )
    .orderBy(certificates.name, desc(certificates.source))
    .as('served')
}

export type ServedRows = {
  /** The one of each origin that expires first. */
  first: Served[]
  /** Those that have expired, or soon do and should have been replaced; the first twenty. */
  due: Served[]
}

/** Reads all rows of certificates. */
export async function readServed(db: Database, nowMs: number): Promise<ServedRows> {
  const served = servedRows(db)
  const columns = {
    name: served.name,
    source: served.source,
    notBeforeMs: served.notBeforeMs,
    notAfterMs: served.notAfterMs,
    error: served.error,
    domainId: served.domainId,
  }
  const isRecent = gt(served.notAfterMs, nowMs - forgottenMs)
  const [first, due] = await Promise.all([
    db
      .selectDistinctOn([served.source], columns)
      .from(served)
      .where(isRecent)
      .orderBy(served.source, served.notAfterMs),
    db
      .select(columns)
      .from(served)
      .where(and(isRecent, sql`${served.notAfterMs} - ${marginMs(served)} <= ${nowMs}::bigint`))
      .orderBy(served.notAfterMs)
      .limit(mostDue),
  ])
  return { first: first.map(toServed), due: due.map(toServed) }
}

/** As `isDue` has it. */
function marginMs({ source, notBeforeMs, notAfterMs }: ReturnType<typeof servedRows>): SQL {
  const part = sql`(${notAfterMs} - ${notBeforeMs}) * ${soonPart}::float8`
  return sql`case when ${source} = 'acme' then ${part} else least(${part}, ${soonMs}::float8) end`
}

type Row = {
  name: string
  source: string
  notBeforeMs: number | null
  notAfterMs: number | null
  error: string | null
  domainId: string | null
}

function toServed({ name, source, notBeforeMs, notAfterMs, error, domainId }: Row): Served {
  return {
    origin: source === 'acme' ? 'acme' : 'uploaded',
    place: name,
    notBeforeMs: notBeforeMs ?? 0,
    notAfterMs: notAfterMs ?? 0,
    error,
    isOfTeam: domainId !== null,
  }
}

/** The names among these that have a certificate, and the errors of those whose order failed. */
export async function readOrders(
  db: Database,
  names: string[],
): Promise<{ name: string; isIssued: boolean; error: string | null }[]> {
  if (names.length === 0) return []
  return db
    .select({
      name: certificates.name,
      isIssued: sql<boolean>`${certificates.chain} is not null`,
      error: certificates.errorMessage,
    })
    .from(certificates)
    .where(inArray(certificates.name, names))
}
