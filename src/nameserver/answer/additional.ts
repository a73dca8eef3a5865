/** The additional section: addresses of names in an answer, as far as the zone has them. */
import { zoneOf } from '../../zones/served.ts'
import { types } from '../wire/codes.ts'
import { type Family, ofType, type Zone } from '../zones/zone.ts'
import { find } from './find.ts'
import type { Owned, Reply } from './reply.ts'

/** The names in a record that will be looked up next. */
const leadsOn = new Set<number>([types.NS, types.MX, types.SRV])

/** The most names with addresses in one response. */
const maxNames = 32

/** A and AAAA records for the targets of NS, MX and SRV records in a reply, glue included. */
export function addressesIn(family: Family, zone: Zone, { answer, authority }: Reply): Owned[] {
  const names = new Set<string>()
  for (const { set } of [...answer, ...authority]) {
    if (!leadsOn.has(set.type)) continue
    for (const { value } of set.values) {
      if (names.size < maxNames) names.add(value)
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
