/** Answers questions from the zones of a family, as pure functions. */
import { zoneOf } from '../../../platform/zones/family-zones.ts'
import { soaOf } from '../../../platform/zones/soa.ts'
import { rcodes, types } from '../wire/codes.ts'
import { type Family, ofType, type RRset, type Zone } from '../zones/zone.ts'
import { addressesIn } from './additional.ts'
import { type Found, find } from './find-records.ts'
import type { Reply } from './reply.ts'

/** The longest chain of CNAME records to follow; resolvers can continue by themselves. */
const maxChain = 16

/** RFC 8482, section 4.2. */
const anyAnswer: RRset = {
  type: types.HINFO,
  ttl: 3_600,
  values: [{ value: 'RFC8482', strings: null, priority: null, weight: null, port: null }],
}

/** The answer to a question of class IN for records of `type` at `name`; REFUSED without a zone. */
export function answer(family: Family, name: string, type: number): Reply {
  const reply: Reply = {
    rcode: rcodes.noError,
    isAuthoritative: true,
    isReferral: false,
    answer: [],
    authority: [],
    additional: [],
    alias: undefined,
    isOfName: true,
    shared: undefined,
  }
  const zone = zoneFor(family, name, type)
  if (!zone) return { ...reply, rcode: rcodes.refused, isAuthoritative: false, isOfName: false }
  const passed = new Set<string>()
  for (let at: string | undefined = name; at !== undefined; ) {
    passed.add(at)
    const target = addStep(reply, zone, at, type)
    // A zone is authoritative only for its own names: the resolver follows the rest of the chain.
    const goesOn =
      target !== undefined &&
      passed.size < maxChain &&
      !passed.has(target) &&
      zoneOf(family.zones, target, family.registrable) === zone
    at = goesOn ? target : undefined
  }
  reply.additional.push(...addressesIn(family, zone, reply))
  return reply
}

/** RFC 4035, section 3.1.4.1: for DS the parent side of a cut is authoritative, if it is served here, too. */
function zoneFor({ zones, registrable }: Family, name: string, type: number): Zone | undefined {
  const zone = zoneOf(zones, name, registrable)
  if (type !== types.DS || zone?.apex !== name) return zone
  return zoneOf(zones, name.slice(name.indexOf('.') + 1), registrable) ?? zone
}

/** Adds the records at one name of the chain; returns the next one. */
function addStep(reply: Reply, zone: Zone, name: string, type: number): string | undefined {
  const found = find(zone, name)
  if (found.kind === 'delegation') return addReferral(reply, zone, found, { name, type })
  if (found.kind === 'nothing') {
    reply.rcode = rcodes.nxDomain
    reply.isOfName = false
    return addNegative(reply, zone)
  }
  if (found.isWildcard) reply.isOfName = false
  const { sets } = found
  reply.shared ??= `${type} ${found.owner}`
  const cname = ofType(sets, types.CNAME)
  if (type === types.ANY && sets.length > 0) {
    reply.answer.push({ name, set: cname ?? anyAnswer })
    return undefined
  }
  const own = ofType(sets, type) ?? cname
  if (own) {
    reply.answer.push({ name, set: own })
    return own === cname && type !== types.CNAME ? cname.values[0]?.value : undefined
  }
  const alias = ofType(sets, types.ALIAS)
  const target = alias?.values[0]?.value
  if (alias && target !== undefined && (type === types.A || type === types.AAAA)) {
    reply.alias = { name, target, type, ttl: alias.ttl }
  }
  return addNegative(reply, zone)
}

function addReferral(
  reply: Reply,
  zone: Zone,
  { cut, servers, sets }: Extract<Found, { kind: 'delegation' }>,
  { name, type }: { name: string; type: number },
): undefined {
  // RFC 4035, section 3.1.4.1: DS belongs to the parent side of a cut.
  if (type === types.DS && name === cut) {
    const ds = ofType(sets, types.DS)
    if (!ds) return addNegative(reply, zone)
    reply.answer.push({ name, set: ds })
    return
  }
  reply.isAuthoritative = reply.answer.length > 0
  reply.isReferral = true
  reply.shared ??= `below ${cut}`
  reply.isOfName = name === cut
  reply.authority.push({ name: cut, set: servers })
}

/** RFC 2308, section 3: the SOA, with the negative TTL. */
function addNegative(reply: Reply, { apex, names }: Zone): undefined {
  const soa = ofType(names.get(apex) ?? [], types.SOA)
  if (!soa) return
  const { minimum } = soaOf({ apex, serial: 0, nameservers: [] })
  reply.authority.push({ name: apex, set: { ...soa, ttl: Math.min(soa.ttl, minimum) } })
}
