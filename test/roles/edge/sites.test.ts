/** The cache of hosts, and floods of made-up ones. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSites } from '../../../src/roles/edge/sites.ts'
import type { Changes } from '../../../src/stores/db/changes.ts'
import { claim } from '../../support/claims.ts'
import { eventually } from '../../support/eventually.ts'
import { sendRequest } from './client.ts'
import { type Edge, newSite, startEdge } from './edge.ts'

let edge: Edge

beforeAll(async () => {
  edge = await startEdge()
})

afterAll(() => edge.close())

it('stop listening to changes once they are stopped', () => {
  let listeners = 0
  const changes: Changes = {
    ...edge.store.changes,
    subscribe(listener) {
      listeners += 1
      const stop = edge.store.changes.subscribe(listener)
      return () => {
        listeners -= 1
        stop()
      }
    },
  }
  const sites = createSites({ ...edge.store, changes }, 0)
  expect(listeners).toBe(1)
  sites.stop()
  expect(listeners).toBe(0)
})

it('a change of a name keeps the entries that are not at or below it', async () => {
  const sites = createSites(edge.store, 0)
  const registrable = `shop-${randomBytes(4).toString('hex')}.com`
  const [apex, below, longer, label] = [registrable, `a.b.${registrable}`, `x${registrable}`, 'web'] as const
  for (const host of [apex, below, longer, label]) await sites.get(host)
  edge.store.changes.publish({ kind: 'domain', id: registrable })
  expect([apex, below, longer, label].map((host) => sites.peek(host) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
  ])
  sites.stop()
})

it('a change of a known site has it read anew right away, but not a change of an unknown host', async () => {
  const site = await newSite(edge)
  await site.promote((await site.deploy({ 'index.html': 'home' })).id)
  const sites = createSites(edge.store, 0)
  const label = site.host.replace('.localhost', '')
  const projectOf = () => sites.peek(label)?.value?.projectId
  const unknown = `nobody-${randomBytes(4).toString('hex')}`
  for (const host of [label, unknown]) await sites.get(host)
  edge.store.changes.publish({ kind: 'project', id: site.projectId })
  expect(sites.peek(label)).toBeUndefined()
  await eventually(() => expect(projectOf()).toBe(site.projectId))
  edge.store.changes.publish({ kind: 'host', id: label })
  await eventually(() => expect(projectOf()).toBe(site.projectId))
  expect(sites.peek(unknown)).toBeUndefined()
  sites.stop()
})

it('while the database is slow, a flood of made-up hosts is refused, without logging', async () => {
  const site = await newSite(edge)
  await site.promote((await site.deploy({ 'index.html': 'home' })).id)
  const domain = `shop-${randomBytes(4).toString('hex')}.com`
  const node = { clock: edge.clock, installation: { store: edge.store } }
  await claim(node, { id: site.teamId }, domain, { proven: true, project: site.projectId })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const busy = edge.store.db.transaction(() => held)
  const lines = edge.logged.length
  const statuses: number[] = []
  const statusOf = async (host: string) => (await sendRequest(edge.port, host, '/')).status
  const flood = Array.from({ length: 300 }, async (_, number) => {
    statuses.push(await statusOf(`made-up-${number}.example.org`))
  })
  await eventually(() => expect(statuses).toEqual(Array.from({ length: 100 }, () => 503)))
  release()
  await Promise.all([busy, ...flood])
  expect(statuses.slice(100)).toEqual(Array.from({ length: 200 }, () => 404))
  expect(await Promise.all([domain, site.host].map(statusOf))).toEqual([200, 200])
  expect(edge.logged).toHaveLength(lines)
})
