/** Builds the zones of a family from rows. */

import { isAtOrBelow, selfAndAbove } from '../../../lib/names/domain-name.ts'
import type { RecordType } from '../../../lib/names/record-types.ts'
import type { RecordValue } from '../../../platform/dns/types/rule.ts'
import { type Proven, servedZones, zoneOf } from '../../../platform/zones/family-zones.ts'
import type { PlatformZone } from '../../../platform/zones/platform-zone.ts'
import { apexTtl, soaOf } from '../../../platform/zones/soa.ts'
import { types } from '../wire/codes.ts'
import { type Family, ofType, type RRset, type Zone } from './zone.ts'

/** Approximate memory of a record besides its name and value. */
const recordOverhead = 200

const platformTtl = 300

/** A resolver may keep it for so long, although the next order has another one. */
const challengeTtl = 1

/** A record of the view. */
export type ServedRow = RecordValue & {
  teamId: string
  fqdn: string
  type: RecordType
  ttl: number
}

export type FamilyRows = {
  registrable: string
  serial: number
  /** The claims of the whole family. */
  proven: Proven[]
  /** Records of the teams with a verified claim in it; unserved ones are left out. */
  rows: ServedRow[]
  /** The zones' name servers. */
  nameservers: string[]
  /** The platform's own zone, if it is of this family. */
  platform?: PlatformZone | undefined
  /** Values of its CAA records. */
  platformCaa?: string[] | undefined
  /** The names and values of TXT records that a certificate authority looks for. */
  challenges?: { fqdn: string; value: string }[] | undefined
}

/** The zones, or undefined if nothing is verified. */
export function* buildFamily({
  registrable,
  serial,
  proven,
  rows,
  nameservers,
  platform,
  platformCaa = [],
  challenges = [],
}: FamilyRows): Generator<void, Family | undefined> {
  if (proven.length === 0 && !platform) return undefined
  const byApex = new Map<string, Zone>()
  const zones = new Map<string, Zone>()
  for (const [domain, { apex, teamId }] of servedZones(proven, registrable)) {
    const zone = byApex.get(apex) ?? startZone(apex, teamId, soaText(apex, serial, nameservers), nameservers)
    byApex.set(apex, zone)
    zones.set(domain, zone)
  }
  if (platform) {
    const zone = platformZone(platform, serial, nameservers)
    zones.set(platform.host, zone)
    // At the apex alone: authorities climb to it from every name below.
    addCaa(zone, platformCaa)
  }
  const family: Family = { registrable, zones, bytes: 0, validity: { isCurrent: true } }
  const known = new Map<RRset, Set<string>>()
  for (const row of rows) {
    if (addRow(family, row, known)) family.bytes += recordOverhead + row.fqdn.length + 2 * row.value.length
    yield
  }
  for (const { fqdn, value } of challenges) addChallenge(family, fqdn, value)
  for (const { apex } of byApex.values()) nameInZoneAbove(family, apex)
  return family
}

/** Nobody's: records of teams are never added to it. */
function platformZone({ host, targets }: PlatformZone, serial: number, nameservers: string[]): Zone {
  const zone = startZone(host, '', soaText(host, serial, nameservers), nameservers)
  const byType = groupByType(targets)
  const sets = [...byType].map(([type, each]) => ({
    type,
    ttl: platformTtl,
    values: each.map(({ value }) => plain(value)),
  }))
  zone.names.get(host)?.push(...sets)
  zone.names.set(`*.${host}`, sets)
  return zone
}

function addCaa(zone: Zone, values: string[]): void {
  if (values.length > 0)
    setsAt(zone, zone.apex).push({ type: types.CAA, ttl: platformTtl, values: values.map(plain) })
}

function groupByType(targets: PlatformZone['targets']): Map<number, PlatformZone['targets']> {
  const found = new Map<number, PlatformZone['targets']>()
  for (const target of targets) {
    const type = types[target.type]
    found.set(type, [...(found.get(type) ?? []), target])
  }
  return found
}

function addChallenge({ zones, registrable }: Family, fqdn: string, value: string): void {
  const zone = zoneOf(zones, fqdn, registrable)
  if (!zone) return
  const sets = setsAt(zone, fqdn)
  const set = ofType(sets, types.TXT) ?? { type: types.TXT, ttl: challengeTtl, values: [] }
  if (set.values.length === 0) sets.push(set)
  set.ttl = challengeTtl
  set.values.push(plain(value))
}

function startZone(apex: string, teamId: string, soa: string, nameservers: string[]): Zone {
  const apexSets = [
    { type: types.SOA, ttl: apexTtl, values: [plain(soa)] },
    { type: types.NS, ttl: apexTtl, values: nameservers.map(plain) },
  ]
  return { apex, teamId, names: new Map([[apex, apexSets]]) }
}

function soaText(apex: string, serial: number, nameservers: string[]): string {
  const soa = soaOf({ apex, serial, nameservers })
  return [soa.mname, soa.rname, soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum].join(' ')
}

function plain(value: string): RecordValue {
  return { value, strings: null, priority: null, weight: null, port: null }
}

/** Whether the row is served. `seen` has the records of each set so far. */
function addRow({ zones, registrable }: Family, row: ServedRow, seen: Map<RRset, Set<string>>): boolean {
  const { teamId, fqdn, ttl, value, strings, priority, weight, port } = row
  const zone = zoneOf(zones, fqdn, registrable)
  const type = types[row.type]
  // NS records at the apex come from the settings.
  if (zone?.teamId !== teamId || (fqdn === zone.apex && type === types.NS)) return false
  const sets = setsAt(zone, fqdn)
  const set = ofType(sets, type) ?? { type, ttl, values: [] }
  if (set.values.length === 0) sets.push(set)
  // RFC 2181, section 5: no duplicate records, and one TTL per set.
  const held = seen.get(set) ?? new Set()
  const key = JSON.stringify([priority, weight, port, value, strings])
  if (held.has(key)) return false
  seen.set(set, held.add(key))
  set.ttl = Math.min(set.ttl, ttl)
  set.values.push({ value, strings, priority, weight, port })
  return true
}

/** The records at a name, which is created with the empty names between it and the apex. */
function setsAt({ apex, names }: Zone, fqdn: string) {
  const known = names.get(fqdn)
  if (known) return known
  for (const each of selfAndAbove(fqdn, apex)) {
    if (names.has(each)) break
    names.set(each, [])
  }
  return names.get(fqdn) ?? []
}

/** The apex of a deeper zone also exists in the zone above it, whose names must not be denied (RFC 8020). */
function nameInZoneAbove({ zones, registrable }: Family, apex: string): void {
  const dot = apex.indexOf('.')
  if (apex === registrable || !isAtOrBelow(apex, registrable)) return
  const above = zoneOf(zones, apex.slice(dot + 1), registrable)
  if (above) setsAt(above, apex)
}
