/**
 * Limits the records of a team at and below a registrable domain, which exports and the name server read at
 * once.
 */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { records } from '../../stores/db/schema/records.ts'
import { atOrBelow } from '../zones/name-range.ts'
import type { Zone } from './zone.ts'

type Limits = { records: number; bytes: number }

/** The maximum of records of a verified zone. */
export const maxRecords = 10_000

const limits: Limits = { records: maxRecords, bytes: 4 * 1024 * 1024 }

/** For unverified claims, which aren't served: enough to prepare a move. */
const unverifiedLimits: Limits = { records: 100, bytes: 64 * 1024 }

/** The counted bytes of a record: its absolute name, value, strings and comment in UTF-8. */
export function recordBytes({ fqdn, value, strings, comment }: Sized): number {
  const valueBytes = Buffer.byteLength(value) * (strings === null ? 1 : 2)
  return Buffer.byteLength(fqdn) + valueBytes + Buffer.byteLength(comment ?? '')
}

type Sized = { fqdn: string; value: string; strings: string[] | null; comment: string | null }

/** By how much a change enlarges a zone; negative if it shrinks it. */
export type Growth = { records: number; bytes: number }

/**
 * Checks the size, if the change adds something. A zone over the limit can be shrunk.
 * @throws AppError `too_many_records` when the change exceeds the limit.
 */
export async function refuseTooLarge(db: Database, zone: Zone, growth: Growth): Promise<void> {
  if (growth.records <= 0 && growth.bytes <= 0) return
  const [size] = await sizeQuery(db, zone)
  if (!size) return
  const most = size.verified ? limits : unverifiedLimits
  const what = `${zone.registrable} with all names below`
  const until = size.verified ? '' : ' before it is verified'
  const way = size.verified ? 'Delete some first.' : 'Verify a domain there, or delete some first.'
  const wanted = { records: size.records + growth.records, bytes: size.bytes + growth.bytes }
  if (growth.records > 0 && wanted.records > most.records) {
    const allowed = `${what} may have ${most.records} records of a team${until}`
    const message = `${allowed}, not ${wanted.records}. ${way}`
    throw new AppError('too_many_records', message)
  }
  if (growth.bytes > 0 && wanted.bytes > most.bytes) {
    const message =
      `The records of ${what} may take ${most.bytes / 1024} KiB of names, values and comments${until}, ` +
      `not ${Math.ceil(wanted.bytes / 1024)}. ${way}`
    throw new AppError('too_many_records', message)
  }
}

/** The query for a team's records in the family of a zone; reads only the sizes of values. */
function sizeQuery(db: Database, { teamId, registrable }: Pick<Zone, 'teamId' | 'registrable'>) {
  const verified = db
    .select({ one: sql`1` })
    .from(domains)
    .where(
      and(eq(domains.teamId, teamId), eq(domains.registrable, registrable), isNotNull(domains.verifiedMs)),
    )
  return db
    .select({
      records: sql<number>`count(*)::integer`,
      bytes: sql<number>`coalesce(sum(octet_length(${records.fqdn})
        + octet_length(${records.value}) * (case when ${records.strings} is null then 1 else 2 end)
        + coalesce(octet_length(${records.comment}), 0)), 0)::float8`,
      verified: sql<boolean>`exists (${verified})`,
    })
    .from(records)
    .where(and(eq(records.teamId, teamId), atOrBelow(records.reversed, registrable)))
}
