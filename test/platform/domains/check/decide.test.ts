/** What follows from a check's observations, as a table; verify.test.ts covers what clients see of it. */
import { describe, expect, it } from 'vitest'
import { decide, type KnownClaim } from '../../../../src/platform/domains/check/decide.ts'
import {
  type DnsAnswer,
  type LookUp,
  proofNameOf,
  type QuestionType,
} from '../../../../src/platform/domains/check/look-up.ts'

const dayMs = 24 * 3_600_000
const nowMs = 1_800_000_000_000
const proof = `svc-verify=${'a'.repeat(43)}`
const domain = 'www.example.com'
const routing = { addresses: ['192.0.2.1', '2001:DB8:0::1'], cname: 'edge.example.net' }

const fresh: KnownClaim = {
  id: 'dom_1',
  number: 1,
  teamId: 'team_1',
  domain,
  reversed: 'com.example.www',
  registrable: 'example.com',
  projectId: 'prj_1',
  redirectTo: null,
  redirectStatus: null,
  proof,
  provenMs: null,
  proofLostMs: null,
  verifiedMs: null,
  configured: false,
  seen: [],
  errorReason: null,
  errorMessage: null,
  checks: 0,
  checkedMs: null,
  nextCheckMs: nowMs,
  createdMs: nowMs,
  updatedMs: nowMs,
  isHeld: false,
  certificateWanted: false,
  isCovered: false,
}

const well: KnownClaim = { ...fresh, provenMs: 1, verifiedMs: 1, configured: true, checks: 9 }

type Seen = Partial<Record<'proof' | 'proofAlias' | 'alias' | 'a' | 'aaaa' | 'targetA', string[] | 'failed'>>

function lookUp({ proof, proofAlias, alias, a, aaaa, targetA }: Seen): LookUp {
  const answer = (type: QuestionType, name: string, seen: string[] | 'failed' = []): DnsAnswer =>
    seen === 'failed' ? { type, name, failure: 'ETIMEOUT' } : { type, name, values: seen }
  return {
    lookedUpMs: nowMs - 5,
    proof: answer('TXT', proofNameOf(domain), proof),
    proofAlias: answer('CNAME', proofNameOf(domain), proofAlias),
    alias: answer('CNAME', domain, alias),
    addresses: [answer('A', domain, a), answer('AAAA', domain, aaaa)],
    targetAddresses: [answer('A', routing.cname, targetA), answer('AAAA', routing.cname)],
  }
}

const all: Seen = { proof: [proof], a: ['192.0.2.1'] }

function decided(
  claim: KnownClaim,
  seen: Seen,
  over: { isAwaited?: boolean; isClockBelieved?: boolean; routing?: typeof routing } = {},
) {
  return decide(claim, lookUp(seen), {
    routing,
    nowMs,
    isAwaited: false,
    isClockBelieved: true,
    random: 0,
    ...over,
  })
}

const minutesToNext = (facts: { nextCheckMs: number }) => (facts.nextCheckMs - nowMs) / 60_000

describe('whether a domain leads here', () => {
  it.each<[string, Seen, boolean]>([
    ['one of our addresses', { a: ['192.0.2.1'] }, true],
    ['both addresses, spelled in another way', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] }, true],
    ['nothing there', {}, false],
    ['one of our addresses and a foreign one', { a: ['192.0.2.1', '198.51.100.7'] }, false],
    ['a foreign one of the other family', { a: ['192.0.2.1'], aaaa: ['2001:db8::2'] }, false],
    ['an alias of our name, in any spelling', { alias: ['Edge.Example.NET.'], a: ['203.0.113.5'] }, true],
    ['an alias of another name', { alias: ['edge.example.org'], a: ['203.0.113.5'] }, false],
    [
      'a longer alias that ends like our name',
      { alias: ['a.example.org'], a: ['203.0.113.5'], targetA: ['203.0.113.5'] },
      true,
    ],
  ])('%s', (_what, seen, expected) => {
    expect(decided(fresh, seen).configured).toBe(expected)
  })

  it.each<[string, Seen]>([
    ['the addresses', { a: 'failed' }],
    ['the addresses of one family, while the others are ours', { a: ['192.0.2.1'], aaaa: 'failed' }],
    ['whether they belong to our name', { a: ['203.0.113.5'], targetA: 'failed' }],
    ['whether there is an alias', { a: ['203.0.113.5'], alias: 'failed' }],
  ])('is unchanged when a look-up fails: %s', (_what, seen) => {
    for (const configured of [true, false]) {
      const facts = decided({ ...well, configured }, { proof: [proof], ...seen })
      expect(facts).toMatchObject({ configured, errorReason: 'resolver_failed' })
    }
  })

  it('reports where it should lead, and where it leads instead', () => {
    const { errorReason, errorMessage } = decided(well, { proof: [proof], a: ['192.0.2.1', '198.51.100.7'] })
    expect(errorReason).toBe('not_routed')
    expect(errorMessage).toContain('edge.example.net or 192.0.2.1')
    expect(errorMessage).toContain('Remove 198.51.100.7')
  })

  it('is no error for a domain without a project', () => {
    expect(decided({ ...well, projectId: null }, { proof: [proof] })).toMatchObject({
      configured: false,
      errorReason: null,
    })
    expect(
      decided({ ...well, projectId: null, redirectTo: 'https://example.com' }, { proof: [proof] }),
    ).toMatchObject({
      errorReason: 'not_routed',
    })
  })
})

describe('the proof', () => {
  it('gets one grace period when it is missing on a verified claim, and a check at its end', () => {
    const lost = decided(well, { a: ['192.0.2.1'] })
    expect(lost).toMatchObject({ provenMs: 1, proofLostMs: nowMs, errorReason: 'proof_lost', checks: 0 })
    const later = { ...well, ...lost, checks: 40, proofLostMs: nowMs - 7 * dayMs + 60_000 * 30 }
    expect(minutesToNext(decided(later, { a: ['192.0.2.1'] }))).toBe(30)
  })

  it.each<[string, Seen]>([
    ['another value is in its place', { proof: ['svc-verify=other'] }],
    ['an alias is in its place', { proof: [proof], proofAlias: ['x.example.org'] }],
  ])('is missing as well where %s', (_what, seen) => {
    expect(decided(well, seen)).toMatchObject({ proofLostMs: nowMs, errorReason: 'proof_lost' })
  })

  it('is not lost by a failing look-up, however long it fails', () => {
    const lost = { ...well, proofLostMs: nowMs - 100 * dayMs }
    expect(decided(lost, { proof: 'failed' })).toMatchObject({
      provenMs: 1,
      proofLostMs: lost.proofLostMs,
      errorReason: 'resolver_failed',
    })
    expect(decided(lost, {})).toMatchObject({
      provenMs: null,
      proofLostMs: null,
      errorReason: 'proof_not_found',
    })
  })

  it('is ignored while another team holds the same name', () => {
    const facts = decided({ ...fresh, isHeld: true, isCovered: true }, all)
    expect(facts).toMatchObject({ provenMs: null, errorReason: 'verified_by_another_team' })
  })

  it('is not queried if a parent domain covers the claim', () => {
    const covered = { ...fresh, isCovered: true, verifiedMs: 1 }
    for (const proof of [[], ['svc-verify=other'], 'failed'] as const) {
      expect(
        decided(covered, { a: ['192.0.2.1'], proof: proof === 'failed' ? proof : [...proof] }),
      ).toMatchObject({ errorReason: null })
    }
  })
})

describe('how soon the next check is', () => {
  it('counts the checks since the last change, ignoring failed look-ups', () => {
    const waiting = { ...fresh, errorReason: 'proof_not_found', checks: 20 }
    expect(decided(waiting, {})).toMatchObject({ checks: 21 })
    expect(decided(waiting, { proof: 'failed' })).toMatchObject({ checks: 21 })
    expect(decided({ ...waiting, errorReason: 'resolver_failed' }, {})).toMatchObject({ checks: 21 })
    expect(decided(waiting, { proof: ['svc-verify=other'] })).toMatchObject({ checks: 0 })
    expect(decided(waiting, { a: ['192.0.2.1'] })).toMatchObject({ checks: 0 })
    expect(decided(waiting, all)).toMatchObject({ checks: 0, provenMs: nowMs })
    expect(decided(waiting, {}, { isAwaited: true })).toMatchObject({ checks: 0 })
  })

  it('is a day if all is well, whatever the order of the addresses', () => {
    const first = decided(well, { proof: [proof, 'a'], a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
    expect(minutesToNext(first)).toBe(1440)
    const again = decided(
      { ...well, ...first },
      { proof: ['a', proof], a: ['192.0.2.1'], aaaa: ['2001:db8::1'] },
    )
    expect(again).toMatchObject({ checks: first.checks + 1, seen: first.seen, checkedMs: nowMs - 5 })
  })

  it('is a minute while something is pending, and an hour at most after a failure', () => {
    expect(minutesToNext(decided(fresh, {}))).toBe(1)
    expect(minutesToNext(decided(well, { ...all, proof: 'failed' }))).toBe(60)
  })
})
