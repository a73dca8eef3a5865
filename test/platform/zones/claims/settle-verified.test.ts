/** Which team owns a name: the longest verified claim at or above it decides. */
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDomainName } from '../../../../src/lib/names/domain-name.ts'
import type { ClaimSummary } from '../../../../src/platform/zones/claims/claim-event.ts'
import { settleVerified } from '../../../../src/platform/zones/claims/settle-verified.ts'
import { changeFamilies } from '../../../../src/platform/zones/family.ts'
import { domains, registrableDomains } from '../../../../src/stores/db/schema/domains.ts'
import { claim } from '../../../support/claims.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'

let node: TestNode
let a: { id: string }
let b: { id: string }

beforeAll(async () => {
  node = await sharedNode()
  a = await newTeam(node)
  b = await newTeam(node)
})

async function verified(ids: string[]): Promise<string[]> {
  const rows = await node.installation.store.db.select().from(domains).where(inArray(domains.id, ids))
  return ids.filter((id) => rows.some((row) => row.id === id && row.verifiedMs !== null))
}

async function setProven(id: string, domain: string, isProven: boolean): Promise<ClaimSummary[]> {
  const name = readDomainName(domain)
  if ('problem' in name) throw new Error(name.problem)
  return node.installation.store.transact(async (tx) => {
    await changeFamilies(tx, [name.registrable], Date.now())
    await tx
      .update(domains)
      .set({ provenMs: isProven ? 1 : null })
      .where(eq(domains.id, id))
    return settleVerified(tx, [name], Date.now())
  })
}

describe('a verified name', () => {
  it("covers its own team's claims below it, and nobody else's", async () => {
    const top = `${unique('covers')}.com`
    const own = await claim(node, a, `www.${top}`)
    const foreign = await claim(node, b, `shop.${top}`)
    const root = await claim(node, a, top, { proven: true })
    const beside = await claim(node, a, `x${top}`)
    expect(await verified([own, foreign, root, beside])).toEqual([own, root])
  })

  it('yields below a longer name that another team has verified', async () => {
    const top = `${unique('longest')}.com`
    const root = await claim(node, a, top, { proven: true })
    const covered = await claim(node, a, `a.b.${top}`)
    const theirs = await claim(node, b, `b.${top}`)
    expect(await verified([root, covered, theirs])).toEqual([root, covered])
    const changes = await setProven(theirs, `b.${top}`, true)
    expect(changes.map(({ id, verified }) => ({ id, verified }))).toEqual([
      { id: covered, verified: false },
      { id: theirs, verified: true },
    ])
    await setProven(theirs, `b.${top}`, false)
    expect(await verified([root, covered, theirs])).toEqual([root, covered])
  })

  it('belongs to one team only', async () => {
    const top = `${unique('once')}.com`
    await claim(node, a, top, { proven: true })
    await expect(claim(node, b, top, { proven: true })).rejects.toThrow()
  })
})

it('every change raises the shared serial of the family', async () => {
  const top = `${unique('serial')}.com`
  const serials: number[] = []
  for (const label of ['a', 'b', 'c']) {
    await claim(node, a, `${label}.${top}`)
    const [row] = await node.installation.store.db
      .select()
      .from(registrableDomains)
      .where(eq(registrableDomains.name, top))
    serials.push(row?.serial ?? 0)
  }
  expect(serials[0]).toBeGreaterThan(1_700_000_000)
  expect(serials).toEqual([serials[0], (serials[0] ?? 0) + 1, (serials[0] ?? 0) + 2])
})
