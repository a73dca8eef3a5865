/** Which zones of a family are served, and whose each is. */
import { isAtOrBelow, selfAndAbove } from '../names/domain-name.ts'

/** A name that its team has proven to own. */
export type Proven = { domain: string; teamId: string }

/** The zone that serves a proven name: that of the topmost one above which is all the same team's. */
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

/** What stands for the longest proven name at or above `name`; undefined where there is none. */
export function zoneOf<Z>(zones: Map<string, Z>, name: string, registrable: string): Z | undefined {
  if (!isAtOrBelow(name, registrable)) return undefined
  for (const each of selfAndAbove(name, registrable)) {
    const zone = zones.get(each)
    if (zone !== undefined) return zone
  }
  return undefined
}
