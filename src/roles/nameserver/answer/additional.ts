/** The additional section: addresses of names in an answer, as far as the zone has them. */
import { recordTypes } from '../../../lib/names/record-types.ts'
import type { RecordValue } from '../../../platform/dns/types/rule.ts'
import { rules } from '../../../platform/dns/types/rules.ts'
import { zoneOf } from '../../../platform/zones/family-zones.ts'
import { types } from '../wire/codes.ts'
import { type Family, ofType, type Zone } from '../zones/zone.ts'
import { find } from './find-records.ts'
import type { Owned, Reply } from './reply.ts'

/** The name in a record that will be looked up next, by the number of its type. */
const leadsTo = new Map<number, (record: RecordValue) => string>()
for (const type of recordTypes) {
  const { leadsTo: nextOf } = rules[type]
  if (nextOf) leadsTo.set(types[type], nextOf)
}

/** The most names with addresses in one response. */
const maxNames = 32

/** A and AAAA records for the targets of NS, MX, SRV, SVCB and HTTPS records in a reply, glue included. */
export function addressesIn(family: Family, zone: Zone, { answer, authority }: Reply): Owned[] {
  const names = new Set<string>()
  for (const { set } of [...answer, ...authority]) {
    const nextOf = leadsTo.get(set.type)
    if (!nextOf) continue
    for (const record of set.values) {
      if (names.size < maxNames) names.add(nextOf(record))
    }
  }
  const found: Owned[] = []
  for (const name of names) {
    if (zoneOf(family.zones, name, family.registrable) !== zone) continue
    for (const set of addressSets(zone, name)) {
      if (!answer.some((each) => each.name === name && each.set === set)) found.push({ name, set })
    }
  }
  return found
}

function addressSets(zone: Zone, name: string) {
  const found = find(zone, name)
  if (found.kind === 'nothing') return []
  // At and below a zone cut there is only glue.
  const sets = found.kind === 'name' ? found.sets : (zone.names.get(name) ?? [])
  return [ofType(sets, types.A), ofType(sets, types.AAAA)].filter((set) => set !== undefined)
}
