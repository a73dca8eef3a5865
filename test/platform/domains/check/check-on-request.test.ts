/** How a team proves a domain, as `POST /v1/domains/{domain}/verify` reports it. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { domains, registrableDomains } from '../../../../src/stores/db/schema/domains.ts'
import { claim } from '../../../support/claims.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { type DomainNode, dayMs, prove, rowOf, startDomainNode } from './domain-node.ts'

let at: DomainNode
let node: TestNode
let dns: DomainNode['dns']
let team: TestTeam

beforeAll(async () => {
  at = await startDomainNode()
  node = at.node
  dns = at.dns
  team = await newTeam(node)
})

afterAll(() => at.stop())

afterEach(() => {
  node.clock.aheadMs = 0
  dns.failWith(undefined)
  dns.beforeAnswer = () => {}
})

const newName = () => `${unique('domain')}.com`

async function verify(domain: string, of = team) {
  const { status, body } = await of.owner('POST', `/v1/domains/${domain}/verify`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

async function serialOf(registrable: string): Promise<number | undefined> {
  const { db } = node.installation.store
  const [row] = await db.select().from(registrableDomains).where(eq(registrableDomains.name, registrable))
  return row?.serial
}

describe('a domain is verified', () => {
  it('by its TXT record, at once, and by name or id', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    const { proof } = await rowOf(node, id)
    const before = await verify(domain)
    expect(before).toMatchObject({
      verified: false,
      verified_ms: null,
      verification: [{ type: 'TXT', name: `_svc.${domain}`, value: proof }],
      seen: [],
      error: {
        reason: 'proof_not_found',
        message: expect.stringContaining(`_svc.${domain} with the value ${proof}`),
      },
    })
    await prove(at, id)
    const after = await verify(id)
    expect(after).toMatchObject({ id, domain, verified: true, error: null })
    expect(after.verification).toEqual(before.verification)
    expect(after.seen).toEqual([{ type: 'TXT', name: `_svc.${domain}`, value: proof }])
    expect(Math.abs(after.verified_ms - Date.now())).toBeLessThan(10_000)
    expect(after.checked_ms).toBeLessThanOrEqual(after.verified_ms)
    expect(after.next_check_ms).toBeGreaterThan(after.checked_ms)
  })

  it('by one of many TXT records, also in several strings', async () => {
    const domain = newName()
    const { proof } = await rowOf(node, await claim(node, team, domain))
    const others = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(100)}`)
    dns.set(`_svc.${domain}`, 'TXT', [...others, [proof.slice(0, 9), proof.slice(9)], `zzz`])
    const { verified, seen } = await verify(domain)
    expect(verified).toBe(true)
    expect(seen).toHaveLength(10)
    expect(seen[0].value).toBe(proof)
  })

  it('by a wildcard with the exact value', async () => {
    const domain = newName()
    const { proof } = await rowOf(node, await claim(node, team, domain))
    dns.set(`*.${domain}`, 'TXT', ['v=spf1 -all', proof])
    expect(await verify(domain)).toMatchObject({ verified: true })
  })

  it('and covers names below it, which need no proof and have no error for it', async () => {
    const domain = newName()
    const root = await claim(node, team, domain)
    const below = await claim(node, team, `www.${domain}`)
    const theirs = await claim(node, await newTeam(node), `shop.${domain}`)
    await prove(at, root)
    await verify(domain)
    expect(await verify(`www.${domain}`)).toMatchObject({ verified: true, error: null })
    expect([await rowOf(node, below), await rowOf(node, theirs)]).toMatchObject([
      { verifiedMs: expect.any(Number), provenMs: null },
      { verifiedMs: null },
    ])
  })

  it('and raises the zone’s serial, which a check without changes does not', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    const first = await serialOf(domain)
    await verify(domain)
    expect(await serialOf(domain)).toBe(first)
    await prove(at, id)
    await verify(domain)
    const second = await serialOf(domain)
    expect(second).toBeGreaterThan(first ?? 0)
    await verify(domain)
    expect(await serialOf(domain)).toBe(second)
  })
})

describe('a domain is not verified', () => {
  it('by the proof of another claim, with an error that shows the proof found', async () => {
    const domain = newName()
    const theirs = await rowOf(node, await claim(node, await newTeam(node), domain))
    const id = await claim(node, team, domain)
    dns.set(`_svc.${domain}`, 'TXT', ['v=spf1 -all', theirs.proof])
    expect(await verify(domain)).toMatchObject({
      verified: false,
      error: { reason: 'proof_wrong', message: expect.stringContaining(theirs.proof) },
    })
    // As left by a form that adds quotes.
    const { proof } = await rowOf(node, id)
    dns.set(`_svc.${domain}`, 'TXT', [`"${proof}"`])
    expect((await verify(domain)).error.reason).toBe('proof_wrong')
  })

  it('by a proof at the target of an alias, whose owner would get every name', async () => {
    const domain = newName()
    const { proof } = await rowOf(node, await claim(node, team, domain))
    dns.set(`*.${domain}`, 'CNAME', [`parked.${domain}.example`])
    dns.set(`parked.${domain}.example`, 'TXT', [proof])
    expect(await verify(domain)).toMatchObject({
      verified: false,
      error: { reason: 'proof_is_alias', message: expect.stringContaining(`parked.${domain}.example`) },
    })
  })

  it('while it is unknown whether the proof is an alias', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    await prove(at, id)
    dns.failWith('SERVFAIL', `_svc.${domain}`, 'CNAME')
    expect(await verify(domain)).toMatchObject({ verified: false, error: { reason: 'resolver_failed' } })
    dns.failWith(undefined, `_svc.${domain}`, 'CNAME')
    expect(await verify(domain)).toMatchObject({ verified: true, error: null })
  })

  it('by the proof beside or above its place', async () => {
    const domain = newName()
    const { proof } = await rowOf(node, await claim(node, team, `a.${domain}`))
    for (const name of [domain, `a.${domain}`, `_svc.${domain}`, `_svc.b.${domain}`])
      dns.set(name, 'TXT', [proof])
    expect(await verify(`a.${domain}`)).toMatchObject({
      verified: false,
      error: { reason: 'proof_not_found' },
    })
  })

  it('by the proof of an earlier, deleted claim to it', async () => {
    const domain = newName()
    const first = await claim(node, team, domain)
    await prove(at, first)
    expect((await verify(domain)).verified).toBe(true)
    await node.installation.store.db.delete(domains).where(eq(domains.id, first))
    for (const by of [team, await newTeam(node)]) {
      await claim(node, by, domain)
      expect(await verify(domain, by)).toMatchObject({ verified: false, error: { reason: 'proof_wrong' } })
    }
  })

  it('if its name leaves no room for the proof’s name', async () => {
    const domain =
      `${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(63)}.${'w'.repeat(40)}.${newName()}`.slice(-253)
    await claim(node, team, domain)
    expect(await verify(domain)).toMatchObject({ verified: false, error: { reason: 'name_too_long' } })
  })
})

describe('two teams claim one name', () => {
  it('the first to prove it gets it; the other gets an error, and the name once it is free', async () => {
    const domain = newName()
    const other = await newTeam(node)
    const ids = [await claim(node, team, domain), await claim(node, other, domain)]
    const proofs = await Promise.all(ids.map(async (id) => (await rowOf(node, id)).proof))
    dns.set(`_svc.${domain}`, 'TXT', proofs)
    const answers = await Promise.all([verify(domain), verify(domain, other)])
    expect(answers.map(({ verified }) => verified).sort()).toEqual([false, true])
    const [winner, loser] = answers[0]?.verified ? [team, other] : [other, team]
    expect(await verify(domain, loser)).toMatchObject({
      verified: false,
      error: { reason: 'verified_by_another_team' },
    })

    const [winnersId, losersProof] = winner === team ? [ids[0], proofs[1]] : [ids[1], proofs[0]]
    dns.set(`_svc.${domain}`, 'TXT', [losersProof ?? ''])
    expect(await verify(domain, winner)).toMatchObject({ verified: true, error: { reason: 'proof_lost' } })
    node.clock.aheadMs = 7 * dayMs + 1
    expect(await verify(domain, winner)).toMatchObject({ verified: false, error: { reason: 'proof_wrong' } })
    expect(await verify(domain, loser)).toMatchObject({ verified: true, error: null })
    expect(await rowOf(node, winnersId ?? '')).toMatchObject({ provenMs: null, verifiedMs: null })
  })

  it('the other team can prove a name below it', async () => {
    const domain = newName()
    const other = await newTeam(node)
    await claim(node, team, domain, { proven: true })
    const id = await claim(node, other, `shop.${domain}`)
    const covered = await claim(node, team, `a.shop.${domain}`)
    await prove(at, id)
    expect(await verify(`shop.${domain}`, other)).toMatchObject({ verified: true })
    expect(await verify(`a.shop.${domain}`)).toMatchObject({
      verified: false,
      error: { reason: 'proof_not_found' },
    })
    expect((await rowOf(node, covered)).verifiedMs).toBeNull()
  })
})

describe('a lost proof', () => {
  it('is tolerated for 7 days, in which it may return; then the domain is no longer verified', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    await prove(at, id)
    await verify(domain)
    dns.set(`_svc.${domain}`, 'TXT', [])
    expect(await verify(domain)).toMatchObject({
      verified: true,
      error: {
        reason: 'proof_lost',
        message: expect.stringContaining(new Date(Date.now() + 7 * dayMs).toISOString().slice(0, 10)),
      },
    })
    node.clock.aheadMs = 6 * dayMs
    expect((await verify(domain)).verified).toBe(true)
    await prove(at, id)
    expect(await verify(domain)).toMatchObject({ verified: true, error: null })
    expect((await rowOf(node, id)).proofLostMs).toBeNull()

    dns.set(`_svc.${domain}`, 'TXT', [])
    await verify(domain)
    node.clock.aheadMs += 7 * dayMs - 60_000
    const serial = await serialOf(domain)
    expect((await verify(domain)).verified).toBe(true)
    node.clock.aheadMs += 60_001
    expect(await verify(domain)).toMatchObject({
      verified: false,
      verified_ms: null,
      error: { reason: 'proof_not_found' },
    })
    expect(await serialOf(domain)).toBeGreaterThan(serial ?? 0)
  })

  it('is still tolerated after a clock jump, which postpones no later check either', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    await prove(at, id)
    await verify(domain)
    dns.set(`_svc.${domain}`, 'TXT', [])
    await verify(domain)
    const before = await rowOf(node, id)
    node.clock.aheadMs = 365 * dayMs
    expect(await verify(domain)).toMatchObject({ verified: true, error: { reason: 'proof_lost' } })
    const { provenMs, proofLostMs, nextCheckMs } = before
    expect(await rowOf(node, id)).toMatchObject({ provenMs, proofLostMs, nextCheckMs })
    await prove(at, id)
    node.clock.aheadMs = 0
    expect(await verify(domain)).toMatchObject({ verified: true, error: null })
    expect((await rowOf(node, id)).checkedMs).toBeLessThanOrEqual(Date.now())
  })

  it('leaves a domain verified that a parent domain covers', async () => {
    const domain = newName()
    const root = await claim(node, team, domain, { proven: true })
    const id = await claim(node, team, `www.${domain}`, { proven: true })
    await prove(at, root)
    expect(await verify(`www.${domain}`)).toMatchObject({ verified: true, error: { reason: 'proof_lost' } })
    node.clock.aheadMs = 8 * dayMs
    expect(await verify(`www.${domain}`)).toMatchObject({ verified: true, error: null })
    expect((await rowOf(node, id)).provenMs).toBeNull()
  })

  const changesNothing = async (failure: 'SERVFAIL' | 'REFUSED' | 'garbage' | 'hang') => {
    const domain = newName()
    const id = await claim(node, team, domain)
    dns.set(domain, 'A', ['192.0.2.1'])
    await prove(at, id)
    const before = await verify(domain)
    const { provenMs, verifiedMs, updatedMs } = await rowOf(node, id)
    for (const name of [domain, `_svc.${domain}`]) dns.failWith(failure, name)
    node.clock.aheadMs = 30 * dayMs
    const during = await verify(domain)
    expect(during).toMatchObject({ verified: true, configured: true, error: { reason: 'resolver_failed' } })
    expect(during.seen).toEqual(before.seen)
    expect(await rowOf(node, id)).toMatchObject({ provenMs, verifiedMs, updatedMs, proofLostMs: null })
    for (const name of [domain, `_svc.${domain}`]) dns.failWith(undefined, name)
    expect(await verify(domain)).toMatchObject({ verified: true, error: null })
  }

  it.each(['SERVFAIL', 'REFUSED', 'garbage'] as const)(
    'is not assumed when a resolver answers with %s: nothing changes',
    changesNothing,
  )

  it('is not assumed when a resolver hangs: nothing changes', { tags: 'long' }, () => changesNothing('hang'))
})

describe('during the DNS queries', () => {
  it('404 when the domain is deleted', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    await prove(at, id)
    dns.beforeAnswer = async () => {
      await node.installation.store.db.delete(domains).where(eq(domains.id, id))
    }
    const { status, body } = await team.owner('POST', `/v1/domains/${domain}/verify`)
    expect([status, body.reason]).toEqual([404, 'domain_not_found'])
  })

  it('a result for a deleted claim has no effect on the next one', async () => {
    const domain = newName()
    const id = await claim(node, team, domain)
    await prove(at, id)
    let next: Promise<string> | undefined
    dns.beforeAnswer = async () => {
      next ??= node.installation.store.db
        .delete(domains)
        .where(eq(domains.id, id))
        .then(() => claim(node, team, domain))
      await next
    }
    const answer = await verify(domain)
    expect(answer).toMatchObject({ id: await next, verified: false, checked_ms: null, error: null })
  })

  it('the result of an older check never overwrites that of a newer one', async () => {
    const domain = newName()
    const id = await claim(node, team, domain, { proven: true })
    const { checkedMs } = await rowOf(node, id)
    expect(checkedMs).toBeNull()
    let seenLater: Promise<unknown> | undefined
    dns.beforeAnswer = async () => {
      seenLater ??= node.installation.store.db
        .update(domains)
        .set({ checkedMs: Date.now() + 60_000, checks: 5 })
        .where(eq(domains.id, id))
      await seenLater
    }
    expect(await verify(domain)).toMatchObject({ verified: true, error: null })
    expect(await rowOf(node, id)).toMatchObject({ checks: 5, proofLostMs: null })
  })
})

describe('responses of hostile name servers', () => {
  it('are bounded and printable', async () => {
    const domain = newName()
    await claim(node, team, domain)
    const nasty = [
      '\u0000\u001b[2J',
      '"><script>',
      'é'.repeat(120),
      ...Array.from({ length: 150 }, (_, i) => `y${i}`.padEnd(255, '\u0007')),
    ]
    dns.set(`_svc.${domain}`, 'TXT', nasty)
    dns.set(
      domain,
      'A',
      Array.from({ length: 1_000 }, (_, i) => `9.0.${i >> 8}.${i & 255}`),
    )
    const answer = await verify(domain)
    expect(answer).toMatchObject({ verified: false, configured: false })
    expect(answer.seen.map(({ type }: { type: string }) => type).join()).toMatch(/^(TXT,){10}(A,){9}A$/)
    expect(answer.seen).toContainEqual(expect.objectContaining({ value: String.raw`\000\027[2J` }))
    for (const { value } of answer.seen) {
      expect(value).toMatch(/^[\x20-\x7e]*…?$/)
      expect(value.length).toBeLessThanOrEqual(301)
    }
  })

  it('never reveal private addresses, nor that there are any, except the edge’s own', async () => {
    const domain = newName()
    await claim(node, team, domain, { redirect: { to: 'example.net', status: 301 } })
    const nothing = await verify(domain)
    dns.set(domain, 'A', ['10.11.12.13', '169.254.169.254', '127.0.0.1'])
    dns.set(domain, 'AAAA', ['fd00::1', '::ffff:10.0.0.1'])
    const changing = { checked_ms: 0, next_check_ms: 0 }
    expect({ ...(await verify(domain)), ...changing }).toEqual({ ...nothing, ...changing })
    dns.set(domain, 'A', ['192.0.2.1', '10.11.12.13'])
    const beside = await verify(domain)
    expect(beside).toMatchObject({ configured: false, seen: [{ type: 'A', value: '192.0.2.1' }] })
    expect(JSON.stringify(beside)).not.toContain('10.11')
    dns.set(domain, 'AAAA', [])
    dns.set(domain, 'A', ['10.0.0.80'])
    dns.set('edge.example.net', 'A', ['10.0.0.80'])
    expect(await verify(domain)).toMatchObject({ configured: true, seen: [{ value: '10.0.0.80' }] })
    dns.set('edge.example.net', 'A', [])
  })

  it('may contain a loop', async () => {
    const domain = newName()
    await claim(node, team, domain)
    dns.set(domain, 'CNAME', [`a.${domain}`])
    dns.set(`a.${domain}`, 'CNAME', [domain])
    expect(await verify(domain)).toMatchObject({ verified: false, configured: false })
  })
})

it('404 for a domain of another team only', async () => {
  const domain = newName()
  const id = await claim(node, await newTeam(node), domain)
  for (const reference of [domain, id, 'not a name', newName()]) {
    const { status, body } = await team.owner('POST', `/v1/domains/${encodeURIComponent(reference)}/verify`)
    expect([status, body.reason]).toEqual([404, 'domain_not_found'])
  }
})
