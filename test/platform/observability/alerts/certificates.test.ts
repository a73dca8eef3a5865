/** Which certificates of the database have alerts. */

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificateFiles } from '../../../../src/platform/observability/alerts/certificate-files.ts'
import {
  createCertificateWatch,
  type Uncovered,
} from '../../../../src/platform/observability/alerts/certificates.ts'
import { certificates } from '../../../../src/stores/db/schema/certificates.ts'
import { domains } from '../../../../src/stores/db/schema/domains.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'
import { claim } from '../../../support/claims.ts'
import { type TestNode, unique } from '../../../support/node.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'

const dayMs = 86_400_000

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode()
  team = await newTeam(node)
})

afterAll(() => node?.stop())

type Row = { source: 'own' | 'acme'; fromDays: number; toDays: number; error?: string; leadsHere?: boolean }

/** Inserts a certificate of a domain that is verified, and returns the name. */
async function addCertificate(
  { source, fromDays, toDays, error, leadsHere = true }: Row,
  name = '',
): Promise<string> {
  const { db } = node.installation.store
  const domain = name || `${unique('alert')}.com`
  const id = name ? await idOf(name) : await claim(node, team, domain, { proven: true })
  await db.update(domains).set({ configured: leadsHere }).where(eq(domains.id, id))
  await db.insert(certificates).values({
    name: domain,
    source,
    domainId: id,
    teamId: team.id,
    chain: 'chain',
    keySealed: 'sealed',
    notBeforeMs: Date.now() + fromDays * dayMs,
    notAfterMs: Date.now() + toDays * dayMs,
    errorMessage: error ?? null,
  })
  return domain
}

async function idOf(domain: string): Promise<string> {
  const [row] = await node.installation.store.db.select().from(domains).where(eq(domains.domain, domain))
  return row?.id ?? ''
}

/** The alerts of names, as a node that starts now has them. */
async function alertsOf(names: string[], uncovered: Uncovered[] = []) {
  const watch = createCertificateWatch({
    db: node.installation.store.db,
    files: createCertificateFiles(node.settings),
    uncovered: () => uncovered,
    nowMs: Date.now,
  })
  await watch.refresh()
  return watch.alerts().filter(({ place }) => names.includes(place))
}

describe('a certificate that a team uploaded', () => {
  it('once it has expired, and before, by a sixth of its time or three weeks', async () => {
    const expired = await addCertificate({ source: 'own', fromDays: -90, toDays: -2 })
    const soon = await addCertificate({ source: 'own', fromDays: -345, toDays: 20 })
    const good = await addCertificate({ source: 'own', fromDays: -343, toDays: 22 })
    expect(await alertsOf([expired, soon, good])).toMatchObject([
      {
        name: 'certificate_expired',
        place: expired,
        figure: -2,
        unit: 'days_left',
        publicPlace: 'a domain of a team',
        message: expect.stringContaining('svc domains cert'),
      },
      { name: 'certificate_expires', place: soon, figure: 20 },
    ])
  })

  it('wins over the one that is obtained, which is not served', async () => {
    const name = await addCertificate({ source: 'own', fromDays: -10, toDays: 80 })
    await addCertificate({ source: 'acme', fromDays: -91, toDays: -1 }, name)
    expect(await alertsOf([name])).toEqual([])
  })

  it('not where the domain leads elsewhere, nor a month after it expired', async () => {
    const away = await addCertificate({ source: 'own', fromDays: -90, toDays: -2, leadsHere: false })
    const old = await addCertificate({ source: 'own', fromDays: -120, toDays: -31 })
    expect(await alertsOf([away, old])).toEqual([])
  })
})

it('an obtained one only when its renewal is overdue, with what the last order failed for', async () => {
  const renewing = await addCertificate({ source: 'acme', fromDays: -74, toDays: 16 })
  const overdue = await addCertificate({ source: 'acme', fromDays: -76, toDays: 14, error: 'It says no.' })
  expect(await alertsOf([renewing, overdue])).toMatchObject([
    { name: 'certificate_expires', place: overdue, message: expect.stringContaining('It says no.') },
  ])
})

describe('a name at an https address without a certificate', () => {
  const without = (name: string, isOrdered = false) => ({ name, isOrdered, remedy: 'Do this.' })

  it('with what to do', async () => {
    const name = `*.${unique('sites')}.com`
    expect(await alertsOf([name], [without(name)])).toMatchObject([
      {
        name: 'certificate_missing',
        place: name,
        message: expect.stringMatching(/^No certificate for .* Do this\.$/),
      },
    ])
  })

  it('that is on order has none, until its order fails', async () => {
    const name = `*.${unique('sites')}.com`
    expect(await alertsOf([name], [without(name, true)])).toEqual([])
    await node.installation.store.db
      .insert(certificates)
      .values({ name, source: 'acme', errorReason: 'authority_refused', errorMessage: 'It says no.' })
    expect(await alertsOf([name], [without(name, true)])).toMatchObject([
      { message: expect.stringContaining('Its order failed: It says no.') },
    ])
  })

  it('none where it was issued', async () => {
    const name = `*.${unique('sites')}.com`
    const validity = { notBeforeMs: Date.now(), notAfterMs: Date.now() + 90 * dayMs }
    await node.installation.store.db
      .insert(certificates)
      .values({ name, source: 'acme', chain: 'c', ...validity })
    expect(await alertsOf([name], [without(name)])).toEqual([])
  })
})
