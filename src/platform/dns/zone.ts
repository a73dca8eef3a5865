/** Zones as teams manage them: the topmost claimed name with all names below it. */
import { and, eq, inArray } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { selfAndAbove } from '../../lib/names/domain-name.ts'
import type { Database } from '../../stores/db/database.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import type { Store } from '../../stores/db/store.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import { type Actor, originOf } from '../callers/actor.ts'
import { holdTeam } from '../teams/lock.ts'
import { domainNotFound, findClaim } from '../zones/claims/claim-name.ts'
import { changeFamilies } from '../zones/family.ts'
import { readRecordName, relativeName } from './record-names.ts'

/** A claim of a team. */
export type Claim = { id: string; domain: string; registrable: string }

/** The zone of a claim: `id` is of the claim of its apex, `domain`. */
export type Zone = Claim & { teamId: string }

export type ChangeDeps = { store: Store; nowMs: () => number }

const claimColumns = { id: domains.id, domain: domains.domain, registrable: domains.registrable }

/**
 * The zone of a claim: the topmost name at or above it that the same team has claimed.
 * @throws AppError `domain_not_found` when the claim was just deleted.
 */
async function zoneOf(db: Database, teamId: string, claim: Claim): Promise<Zone> {
  const names = selfAndAbove(claim.domain, claim.registrable)
  const claimed = await db
    .select(claimColumns)
    .from(domains)
    .where(and(eq(domains.teamId, teamId), inArray(domains.domain, names)))
  const topmost = claimed.toSorted((a, b) => a.domain.length - b.domain.length)[0]
  if (!topmost || !claimed.some(({ id }) => id === claim.id)) throw domainNotFound(claim.domain)
  return { ...topmost, teamId }
}

/** The zone of `reference`, and the claim that it names. @throws AppError `domain_not_found`. */
export async function findZone(
  db: Database,
  teamId: string,
  reference: string,
): Promise<{ zone: Zone; claim: Claim }> {
  const claim = await findClaim(db, teamId, reference)
  return { zone: await zoneOf(db, teamId, claim), claim }
}

type ZoneChange = {
  nowMs: number
  /** Records an event in the team's log. */
  publish: (happened: NewEvent[]) => Promise<void>
}

/** A zone by its name or id; `recordName` is how the caller calls a record there, for a message. */
type ZoneReference = { domain: string; recordName?: string | undefined }

/**
 * Runs `work` in a transaction in which nobody else changes the zone, whose serial it raises.
 * @throws AppError `domain_not_found`, `in_zone_of`, `team_not_found` (the team was deleted at that moment),
 * and what `work` throws.
 */
export function changeZone<T>(
  { store, nowMs }: ChangeDeps,
  actor: Actor,
  { domain, recordName }: ZoneReference,
  work: (tx: Database, zone: Zone, change: ZoneChange) => Promise<T>,
): Promise<T> {
  const { teamId } = actor.principal
  return store.transact(async (tx) => {
    // Before the family: deleting the team locks in this order, too.
    await holdTeam(tx, teamId)
    const claim = await findClaim(tx, teamId, domain)
    const now = nowMs()
    await changeFamilies(tx, [claim.registrable], now)
    const zone = await zoneOf(tx, teamId, claim)
    refuseBelowZone({ zone, claim }, recordName)
    const by = { origin: originOf(actor), nowMs: now }
    return work(tx, zone, {
      nowMs: now,
      publish: (happened) => recordEvents(tx, by, happened),
    })
  })
}

/** @throws AppError `in_zone_of` when the claim is below another of the team, which has its records. */
export function refuseBelowZone({ zone, claim }: { zone: Zone; claim: Claim }, recordName = '@'): void {
  if (zone.id === claim.id) return
  const fqdn = readRecordName(recordName, claim.domain)
  const name = relativeName(typeof fqdn === 'string' ? fqdn : claim.domain, zone.domain)
  throw new AppError(
    'in_zone_of',
    `${claim.domain} is in the zone of ${zone.domain}, which the team has claimed too: ` +
      `change its records at /v1/domains/${zone.domain}/records, where the name of this one is ${name}.`,
  )
}
