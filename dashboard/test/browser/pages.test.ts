/**
 * Every page, opened at its address as after a reload: its heading, its tab's title, and nothing that it must
 * not do.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { axeViolations, closeChromium, layoutShift, newVisitor, overflow, settled } from './chromium.ts'
import { type FullTeam, newFullTeam } from './site.ts'

let node: TestNode
let full: FullTeam

beforeAll(async () => {
  node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
  full = await newFullTeam(node)
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

type Address = (full: FullTeam) => string

const pages: [string, Address][] = [
  ['the account', () => '/account'],
  ['the overview', ({ team }) => `/${team.slug}`],
  ['domains', ({ team }) => `/${team.slug}/~/domains`],
  ['a domain', ({ team }) => `/${team.slug}/~/domains/example.com`],
  ['webhooks', ({ team }) => `/${team.slug}/~/webhooks`],
  ['a webhook', ({ team, webhook }) => `/${team.slug}/~/webhooks/${webhook}`],
  ['logs', ({ team }) => `/${team.slug}/~/logs`],
  ['metrics', ({ team }) => `/${team.slug}/~/metrics`],
  ['the status', ({ team }) => `/${team.slug}/~/status`],
  ['settings', ({ team }) => `/${team.slug}/~/settings`],
  ['API keys', ({ team }) => `/${team.slug}/~/settings/keys`],
  ['members', ({ team }) => `/${team.slug}/~/settings/members`],
  ['a project', ({ team }) => `/${team.slug}/web`],
  ['deployments', ({ team }) => `/${team.slug}/web/deployments`],
  ['a deployment', ({ team, deployment }) => `/${team.slug}/web/deployments/${deployment}`],
  ['the domains of a project', ({ team }) => `/${team.slug}/web/domains`],
  ['the server of a project', ({ team }) => `/${team.slug}/web/server`],
  ['the logs of a project', ({ team }) => `/${team.slug}/web/logs`],
  ['the metrics of a project', ({ team }) => `/${team.slug}/web/metrics`],
  ['the settings of a project', ({ team }) => `/${team.slug}/web/settings`],
]

describe.each(pages)('%s', (_name, addressOf) => {
  it('loads, accessible in light and dark, asks nobody else, fits a phone, and stays put', async () => {
    const { page, visit, problems } = await newVisitor(node, { session: full.session })
    await visit(addressOf(full))
    await settled(page)
    expect(await page.title()).toMatch(/^.+ · svc$/)
    expect(await axeViolations(page), 'in light').toEqual([])

    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 900 })
    await page.reload()
    await settled(page)
    expect(await axeViolations(page), 'in dark').toEqual([])
    expect(problems()).toEqual([])
    expect(await overflow(page)).toBe(0)
    // Above 0.1 is poor (Cumulative Layout Shift).
    expect(await layoutShift(page)).toBeLessThan(0.1)
  })
})
