/** The queue of certificates to order, with leases: one order of a name at a time, whichever node has it. */
import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { isLocalName } from '../../lib/names/local-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { localName } from './certificate-failure.ts'
import { ordersInWindow, recordOrder, roomAfter } from './order-limits.ts'

/** Longer than any step of an order; extended by each. */
const leaseMs = 3 * 60_000

const maxWanted = 100
const maxTeams = 200

/** A row claimed by this node, as it was then. */
export type Claim = typeof certificates.$inferSelect & { lease: string }

/** Another node has taken the claim meanwhile, or the name is gone. */
export class LostClaimError extends Error {}

/**
 * Makes rows for verified domains that lead here and have none. A name that is back goes on with the attempts
 * that it had. Resolves to whether there may be more.
 */
export async function wantCertificates(db: Database, nowMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const found = await tx
      .select({ id: domains.id, domain: domains.domain, teamId: domains.teamId })
      .from(domains)
      .where(
        and(
          isNotNull(domains.verifiedMs),
          eq(domains.configured, true),
          eq(domains.certificateWanted, false),
        ),
      )
      .orderBy(domains.verifiedMs)
      .limit(maxWanted)
      .for('no key update', { skipLocked: true })
    if (found.length === 0) return false
    const ids = found.map(({ id }) => id)
    await tx
      .insert(certificates)
      .values(found.map((domain) => wantedRow(domain, nowMs)))
      .onConflictDoUpdate({
        target: [certificates.name, certificates.source],
        set: {
          domainId: sql`excluded.domain_id`,
          teamId: sql`excluded.team_id`,
          dueMs: sql`excluded.due_ms`,
          errorReason: sql`excluded.error_reason`,
          errorMessage: sql`excluded.error_message`,
        },
      })
    await tx.update(domains).set({ certificateWanted: true }).where(inArray(domains.id, ids))
    return found.length === maxWanted
  })
}

function wantedRow({ id, domain, teamId }: { id: string; domain: string; teamId: string }, nowMs: number) {
  const failure = isLocalName(domain) ? localName(domain) : undefined
  return {
    name: domain,
    source: 'acme',
    domainId: id,
    teamId,
    dueMs: failure ? null : nowMs,
    errorReason: failure?.reason ?? null,
    errorMessage: failure?.message ?? null,
  }
}

/** Makes the row of a name of the platform itself. */
export async function wantPlatformName(db: Database, name: string, nowMs: number): Promise<void> {
  await db.insert(certificates).values({ name, source: 'acme', dueMs: nowMs }).onConflictDoNothing()
}

/**
 * Claims a due certificate of the team with the oldest last order; undefined if none is due, or none may be
 * ordered. `isPaused`: nothing is ordered now for names without a certificate.
 */
export async function claimNext(
  db: Database,
  nowMs: number,
  { isPaused = false } = {},
): Promise<Claim | undefined> {
  const room = roomAfter(await ordersInWindow(db, nowMs))
  if (room.isNone) return undefined
  const due = await firstOfTeams(db, nowMs, isPaused ? begun : room.isForRenewals ? begunOrOurs : undefined)
  const inTurn = due
    .filter(({ teamId }) => !room.isTeamFull(teamId))
    .sort((a, b) => room.ordersOf(a.teamId) - room.ordersOf(b.teamId) || a.dueMs - b.dueMs)
  for (const { name, dueMs } of inTurn) {
    const claim = await take(db, { name, dueMs }, nowMs)
    if (claim) return claim
  }
  return undefined
}

/** Renewals, and orders that another node began. */
const begun = or(isNotNull(certificates.chain), isNotNull(certificates.orderUrl))
const begunOrOurs = or(begun, isNull(certificates.teamId))

async function firstOfTeams(db: Database, nowMs: number, which: SQL | undefined) {
  const rows = await db
    .selectDistinctOn([certificates.teamId], {
      name: certificates.name,
      teamId: certificates.teamId,
      dueMs: certificates.dueMs,
    })
    .from(certificates)
    .where(and(eq(certificates.source, 'acme'), lte(certificates.dueMs, nowMs), which))
    .orderBy(certificates.teamId, certificates.dueMs)
    .limit(maxTeams)
  return rows.map((row) => ({ ...row, dueMs: row.dueMs ?? 0 }))
}

async function take(
  db: Database,
  { name, dueMs }: { name: string; dueMs: number },
  nowMs: number,
): Promise<Claim | undefined> {
  const lease = randomUUID()
  const [row] = await db
    .update(certificates)
    .set({ dueMs: nowMs + leaseMs, lease })
    .where(and(eq(certificates.name, name), eq(certificates.source, 'acme'), eq(certificates.dueMs, dueMs)))
    .returning()
  return row && { ...row, lease }
}

type Change = Partial<Omit<Claim, 'name' | 'source' | 'lease' | 'dueMs'>>

/** Writes to the claimed row, and extends the lease. @throws LostClaimError. */
export async function advance(db: Database, claim: Claim, change: Change, nowMs: number): Promise<void> {
  await writeClaimed(db, claim, { ...change, dueMs: nowMs + leaseMs })
}

/**
 * Writes one order down before it is made, also if it is then refused, and extends the lease.
 * @throws OrderLimitError where the order has to wait; LostClaimError.
 */
export async function beginOrder(db: Database, claim: Claim, nowMs: number): Promise<void> {
  const { name, teamId } = claim
  await db.transaction(async (tx) => {
    await recordOrder(tx, { name, teamId, isFirst: claim.chain === null }, nowMs)
    await advance(tx, claim, { orderedMs: nowMs }, nowMs)
  })
}

/** Writes to the claimed row, and ends the claim: it is due again at `dueMs`. @throws LostClaimError. */
export async function settle(
  db: Database,
  claim: Claim,
  change: Change & { dueMs: number | null },
): Promise<void> {
  await writeClaimed(db, claim, { ...change, lease: null })
}

async function writeClaimed(
  db: Database,
  { name, source, lease }: Claim,
  change: Change & { dueMs: number | null; lease?: null },
): Promise<void> {
  const written = await db
    .update(certificates)
    .set(change)
    .where(and(eq(certificates.name, name), eq(certificates.source, source), eq(certificates.lease, lease)))
    .returning({ name: certificates.name })
  if (written.length === 0) throw new LostClaimError()
}

/**
 * When an order that failed for the `attempts`th time is tried again: within what authorities allow for a
 * name.
 */
export function retryMs(attempts: number, random: number): number {
  const minutes = [1, 5, 20, 60, 180, 720]
  return (minutes[attempts - 1] ?? 1_440) * 60_000 * (1 + random / 10)
}
