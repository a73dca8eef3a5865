/**
 * How many certificates may be ordered in a time, counted from what was ordered: what a team deletes lowers
 * no count.
 */
import { gt, lte, sql } from 'drizzle-orm'
import { registrableOf } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { certificateOrders } from '../../stores/db/schema/certificates.ts'
import type { CertificateFailure } from './certificate-failure.ts'
import { baseOf } from './certificate-names.ts'

/**
 * Authorities limit the orders of an account: at Let's Encrypt 300 in 3 hours. Some are left for operators,
 * some for renewals and for the platform's names, and none of the teams may use up what is there for all.
 */
const windowMs = 3 * 60 * 60_000
const maxFirst = 250
const maxAll = 280
const maxOfTeam = 50
/** Many teams can share a registrable domain, which authorities limit, too. */
const maxOfRegistrable = 50
/** As many as back-off allows: also of a domain that is deleted and added again. */
const maxOfName = 5

/** Arbitrary, but the same on every node. */
const advisoryLock = 7_368_205

/**
 * An order of a certificate for a name. `isFirst`: the name has no certificate yet. A name without a team is
 * the platform's.
 */
type Wanted = { name: string; teamId: string | null; isFirst: boolean }
type Ordered = Omit<typeof certificateOrders.$inferSelect, 'id'>

/** The order has to wait until `untilMs`; this is no failure of the name. */
export class OrderLimitError extends Error {
  readonly failure: CertificateFailure
  readonly untilMs: number

  constructor(what: string, untilMs: number) {
    const time = new Date(untilMs).toISOString()
    super(`No more certificates are ordered for now: ${what}. The next one can be ordered at ${time}.`)
    this.name = 'OrderLimitError'
    this.failure = { reason: 'authority_limits', message: this.message }
    this.untilMs = untilMs
  }
}

/** The orders that count at `nowMs`. At most a few hundred. */
export async function ordersInWindow(db: Database, nowMs: number): Promise<Ordered[]> {
  const { orderedMs, name, registrable, teamId } = certificateOrders
  return db
    .select({ orderedMs, name, registrable, teamId })
    .from(certificateOrders)
    .where(gt(orderedMs, nowMs - windowMs))
    .orderBy(orderedMs)
}

/**
 * Writes down one order, if it may be made: one at a time over all nodes, so that the limits hold exactly.
 * @throws OrderLimitError.
 */
export async function recordOrder(tx: Database, wanted: Wanted, nowMs: number): Promise<void> {
  await tx
    .select({ locked: sql`pg_advisory_xact_lock(${advisoryLock}::bigint)::text` })
    .from(sql`(values (1)) as once`)
  // Twice the window: another node's clock may be behind.
  await tx.delete(certificateOrders).where(lte(certificateOrders.orderedMs, nowMs - 2 * windowMs))
  const limit = limitOf(await ordersInWindow(tx, nowMs), wanted)
  if (limit) throw new OrderLimitError(limit.what, limit.untilMs)
  const { name, teamId } = wanted
  await tx
    .insert(certificateOrders)
    .values({ orderedMs: nowMs, name, registrable: registrableIn(name), teamId })
}

/**
 * The limit that `recent` orders, the oldest first, leave no room in for another one; undefined if there is
 * room in all.
 */
function limitOf(
  recent: Ordered[],
  { name, teamId, isFirst }: Wanted,
): { what: string; untilMs: number } | undefined {
  const registrable = registrableIn(name)
  const isOurs = teamId === null
  const limits = [
    { most: isFirst && !isOurs ? maxFirst : maxAll, of: () => true, what: 'of all teams' },
    ...(isOurs
      ? []
      : [
          { most: maxOfTeam, of: (each: Ordered) => each.teamId === teamId, what: 'of one team' },
          {
            most: maxOfRegistrable,
            of: (each: Ordered) => each.registrable === registrable,
            what: `at and below ${registrable}`,
          },
          { most: maxOfName, of: (each: Ordered) => each.name === name, what: `for ${name}` },
        ]),
  ]
  const reached = limits.flatMap(({ most, of, what }) => {
    const counted = recent.filter(of)
    const leaving = counted[counted.length - most]
    return leaving
      ? [{ what: `there can be ${most} ${what} in three hours`, untilMs: leaving.orderedMs + windowMs + 1 }]
      : []
  })
  return reached.sort((a, b) => b.untilMs - a.untilMs)[0]
}

/**
 * The room that `recent` orders leave: whether a team may order at all, and whether anything but renewals may
 * be ordered.
 */
export function roomAfter(recent: Ordered[]) {
  const ordersOf = (teamId: string | null) => recent.filter((each) => each.teamId === teamId).length
  return {
    isNone: recent.length >= maxAll,
    isForRenewals: recent.length >= maxFirst,
    ordersOf,
    isTeamFull: (teamId: string | null) => teamId !== null && ordersOf(teamId) >= maxOfTeam,
  }
}

function registrableIn(name: string): string {
  const base = baseOf(name)
  return registrableOf(base) ?? base
}
