/** The served zones of a family, and their owners. */
import { isAtOrBelow, selfAndAbove } from '../../lib/names/domain-name.ts'

/** A name that its team has proven. */
export type Proven = { domain: string; teamId: string }

/**
 * The zone that serves a proven name: of the topmost name from which on all proven names are the same team's.
 */
export type ServedZone = { apex: string; teamId: string }

/** The zone of each proven name of the family of `registrable`. */
export function servedZones(proven: Proven[], registrable: string): Map<string, ServedZone> {
  const zones = new Map<string, ServedZone>()
  for (const { domain, teamId } of proven.toSorted((a, b) => a.domain.length - b.domain.length)) {
    const above = zoneOf(zones, domain, registrable)
    zones.set(domain, above?.teamId === teamId ? above : { apex: domain, teamId })
  }
  return zones
}

/** The entry of the longest proven name at or above `name`; undefined if there is none. */
export function zoneOf<Z>(zones: Map<string, Z>, name: string, registrable: string): Z | undefined {
  if (!isAtOrBelow(name, registrable)) return undefined
  for (const each of selfAndAbove(name, registrable)) {
    const zone = zones.get(each)
    if (zone !== undefined) return zone
  }
  return undefined
}
