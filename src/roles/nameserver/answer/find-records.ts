/** Finds the records of a name in a zone (RFC 1034, section 4.3.2; RFC 4592). */
import { selfAndAbove } from '../../../lib/names/domain-name.ts'
import { types } from '../wire/codes.ts'
import { ofType, type RRset, type Zone } from '../zones/zone.ts'

export type Found =
  | { kind: 'name'; sets: RRset[]; owner: string; isWildcard: boolean }
  | { kind: 'delegation'; cut: string; servers: RRset; sets: RRset[] }
  | { kind: 'nothing' }

/** The records in `zone` for a name at or below its apex. */
export function find(zone: Zone, name: string): Found {
  const path = selfAndAbove(name, zone.apex)
  let sets = zone.names.get(zone.apex) ?? []
  for (let index = path.length - 2; index >= 0; index -= 1) {
    const at = path[index] ?? ''
    const below = zone.names.get(at)
    if (!below) return atWildcard(zone, path[index + 1] ?? '')
    sets = below
    const servers = ofType(sets, types.NS)
    if (servers && !at.startsWith('*.')) return { kind: 'delegation', cut: at, servers, sets }
  }
  return { kind: 'name', sets, owner: name, isWildcard: false }
}

/** RFC 4592, section 3.3.1: only the wildcard right below the closest encloser counts. */
function atWildcard({ names }: Zone, encloser: string): Found {
  const owner = `*.${encloser}`
  const sets = names.get(owner)
  return sets ? { kind: 'name', sets, owner, isWildcard: true } : { kind: 'nothing' }
}
