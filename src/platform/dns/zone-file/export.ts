/** Exports a zone as a master file. */
import { eq } from 'drizzle-orm'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { registrableDomains } from '../../../stores/db/schema/domains.ts'
import type { Store } from '../../../stores/db/store.ts'
import { nameserversOf, soaOf } from '../../zones/soa.ts'
import { findZone } from '../zone.ts'
import { formatZone } from './format.ts'
import { recordsOf } from './stored-records.ts'

type Deps = { store: Store; sitesUrl: string; nameservers: string[] }

/** `domain` is the zone's apex, `serial` that of its SOA. */
export type ExportedZone = { domain: string; serial: number; zone: string }

/** The zone that `reference` belongs to. @throws AppError `domain_not_found`. */
export async function exportZone(
  { store: { db }, sitesUrl, nameservers: named }: Deps,
  teamId: string,
  reference: string,
): Promise<ExportedZone> {
  const { zone } = await findZone(db, teamId, reference)
  // The serial first: a file with a newer serial than its records would never be updated.
  const [family] = await db
    .select({ serial: registrableDomains.serial })
    .from(registrableDomains)
    .where(eq(registrableDomains.name, zone.registrable))
  const records = await recordsOf(db, zone)
  const nameservers = nameserversOf(named, sitesUrl)
  const soa = soaOf({ apex: zone.domain, serial: family?.serial ?? 0, nameservers })
  const text = await inTurns(formatZone({ apex: zone.domain, soa, nameservers, records }))
  return { domain: zone.domain, serial: soa.serial, zone: text }
}
