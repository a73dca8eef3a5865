/** Domains are checked again periodically. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { domains } from '../../../../src/stores/db/schema/domains.ts'
import { claim } from '../../../support/claims.ts'
import { eventually } from '../../../support/eventually.ts'
import { unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { checkAllDue, type DomainNode, dayMs, prove, rowOf, startDomainNode } from './domain-node.ts'

let at: DomainNode
let team: TestTeam

beforeAll(async () => {
  at = await startDomainNode()
  team = await newTeam(at.node)
})

afterAll(() => at.stop())

afterEach(async () => {
  at.node.clock.aheadMs = 0
  at.dns.queries.length = 0
  await at.node.installation.store.db.delete(domains)
})

const newName = () => `${unique('due')}.com`

function claimMany(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => claim(at.node, team, newName())))
}

const proofQueries = () => at.dns.queries.filter((sent) => sent.startsWith('TXT '))

describe('domains that are due', () => {
  it('are checked until none is left, and then not before their time', async () => {
    const ids = await claimMany(25)
    for (const id of ids) await prove(at, id)
    const first = await checkAllDue(at)
    const rows = await at.node.installation.store.db.select().from(domains)
    expect(rows.every(({ verifiedMs }) => verifiedMs !== null)).toBe(true)
    expect(first).toEqual(rows.map(({ domain }) => domain).toSorted())
    expect(await checkAllDue(at)).toEqual([])
    at.node.clock.aheadMs = 61_000
    expect(await checkAllDue(at)).toEqual(first)
  })

  it('are checked once, also by two nodes at the same time', async () => {
    await claimMany(60)
    const [one, other] = await Promise.all([checkAllDue(at), checkAllDue(at)])
    expect(new Set([...one, ...other]).size).toBe(60)
    expect(one.length + other.length).toBe(60)
    expect(Math.min(one.length, other.length)).toBeGreaterThan(0)
  })

  it('are taken over a minute after the node that claimed them died', async () => {
    const [id = ''] = await claimMany(1)
    const { domain } = await rowOf(at.node, id)
    at.dns.failWith('hang', `_svc.${domain}`)
    const died = new AbortController()
    const dying = checkAllDue(at, died.signal)
    await eventually(() => expect(proofQueries().length).toBeGreaterThan(0))
    died.abort()
    await dying
    expect(await rowOf(at.node, id)).toMatchObject({ checkedMs: null, errorReason: null })
    at.dns.failWith(undefined, `_svc.${domain}`)
    await prove(at, id)
    at.node.clock.aheadMs = 55_000
    await checkAllDue(at)
    expect((await rowOf(at.node, id)).checkedMs).toBeNull()
    at.node.clock.aheadMs = 61_000
    await checkAllDue(at)
    expect((await rowOf(at.node, id)).verifiedMs).not.toBeNull()
  })

  it('do not wait for one that hangs', { tags: 'long' }, async () => {
    const [hanging = ''] = await claimMany(1)
    const { domain } = await rowOf(at.node, hanging)
    at.dns.failWith('hang', `_svc.${domain}`)
    const checking = checkAllDue(at)
    await eventually(() => expect(proofQueries().length).toBeGreaterThan(0))
    const [late = ''] = await claimMany(1)
    await eventually(async () => expect((await rowOf(at.node, late)).checkedMs).not.toBeNull())
    expect((await rowOf(at.node, hanging)).checkedMs).toBeNull()
    await checking
    expect(await rowOf(at.node, hanging)).toMatchObject({ errorReason: 'resolver_failed' })
  })

  it('are lost 7 days after their proof, to another team that has proven them', async () => {
    const domain = newName()
    const mine = await claim(at.node, team, domain)
    await prove(at, mine)
    await checkAllDue(at)
    const rival = await claim(at.node, await newTeam(at.node), domain)
    await prove(at, rival)
    for (let day = 0; day < 7; day += 1) {
      at.node.clock.aheadMs = day * dayMs + 60_000
      await checkAllDue(at)
      expect(await rowOf(at.node, mine)).toMatchObject({
        errorReason: 'proof_lost',
        verifiedMs: expect.any(Number),
      })
    }
    expect(await rowOf(at.node, rival)).toMatchObject({
      errorReason: 'verified_by_another_team',
      verifiedMs: null,
    })
    at.node.clock.aheadMs = 7 * dayMs + 61_000
    // A waiting team gets a name as soon as it is free.
    await at.node.installation.store.db
      .update(domains)
      .set({ nextCheckMs: Date.now() + 8 * dayMs })
      .where(eq(domains.id, rival))
    await checkAllDue(at)
    await checkAllDue(at)
    expect(await rowOf(at.node, mine)).toMatchObject({ errorReason: 'proof_wrong', verifiedMs: null })
    expect(await rowOf(at.node, rival)).toMatchObject({ errorReason: null, verifiedMs: expect.any(Number) })
  })

  it('go at once to another team that proved them, when released or when their team is gone', async () => {
    for (const giveUp of [
      (id: string, owner: TestTeam) => owner.owner('DELETE', `/v1/domains/${id}`),
      (_id: string, owner: TestTeam) => owner.owner('DELETE', `/v1/teams/${owner.slug}`),
    ]) {
      const owner = await newTeam(at.node)
      const domain = newName()
      const mine = await claim(at.node, owner, domain, { proven: true })
      const rival = await claim(at.node, team, domain)
      const elsewhere = await claim(at.node, team, newName())
      const { db } = at.node.installation.store
      await db.update(domains).set({ nextCheckMs: Date.now() + dayMs })
      await prove(at, rival)
      expect(await giveUp(mine, owner)).toMatchObject({ status: 200 })
      expect(await checkAllDue(at)).toEqual([domain])
      expect((await rowOf(at.node, rival)).verifiedMs).toEqual(expect.any(Number))
      expect((await rowOf(at.node, elsewhere)).checkedMs).toBeNull()
    }
  })

  it('are found without reading the others', async () => {
    const { db } = at.node.installation.store
    await claimMany(1)
    const plan = await db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      return tx.execute(
        sql`explain select id from domains where next_check_ms <= 1 order by next_check_ms limit 20`,
      )
    })
    expect(JSON.stringify(plan)).toContain('domains_due')
  })
})

it('a node with the worker role checks by itself, and cancels hanging checks when it stops', {
  tags: 'long',
}, async () => {
  const worker = await startDomainNode({ SVC_ROLES: 'api,edge,worker' })
  try {
    const its = await newTeam(worker.node)
    const id = await claim(worker.node, its, newName())
    await prove(worker, id)
    await eventually(async () => expect((await rowOf(worker.node, id)).verifiedMs).not.toBeNull())

    // Loads the schema of responses before the node is gone.
    await its.owner('GET', '/v1/projects')
    worker.dns.failWith('hang')
    const [domain, another] = [newName(), newName()]
    await claim(worker.node, its, domain)
    const isQueried = (name: string) => () => expect(worker.dns.queries).toContain(`TXT _svc.${name}`)
    await eventually(isQueried(domain))
    await claim(worker.node, its, another)
    const called = its.owner('POST', `/v1/domains/${another}/verify`)
    await eventually(isQueried(another))
    const [answer] = await Promise.all([called, worker.node.stop()])
    expect([answer.status, answer.body.reason]).toEqual([503, 'stopping'])
    expect(worker.node.logged.filter((line) => line.includes('recurring task failed'))).toEqual([])
  } finally {
    await worker.stop()
  }
})
