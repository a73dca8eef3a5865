/**
 * A page stays with the person who opened it, whoever signs in in another tab.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jwtSecret } from '../../../test/support/enforcing-node.ts'
import { startTestNode, type TestNode } from '../../../test/support/node.ts'
import { newSession, type TestSession } from '../../../test/support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../test/support/team.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { closeChromium, newVisitor, settled, type Visitor } from './chromium.ts'

const hourMs = 3_600_000

let node: TestNode
let team: TestTeam
let first: TestSession
let second: TestSession
let visitor: Visitor

afterAll(closeChromium)

describe.each([
  ['where changes need a JWT', { SVC_JWT_SECRET: jwtSecret }],
  ['without JWTs', {}],
])('%s', (_, settings) => {
  beforeAll(async () => {
    node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', ...settings })
  })

  afterAll(() => node.stop())

  beforeEach(() => openPage())

  it('the page is loaded again when it comes back to the front', async () => {
    await signInSecond()
    await visitor.page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await loadedAgain()
  })

  it('the page stays as it is for the same person', async () => {
    const account = visitor.page.waitForResponse((response) => response.url().includes('account.get'))
    await visitor.page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await account
    await settled(visitor.page)
    expect(await visitor.page.locator('[data-opened]').count()).toBe(1)
  })
})

describe('the JWT of a page', () => {
  beforeAll(async () => {
    node = await startTestNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', SVC_JWT_SECRET: jwtSecret })
  })

  afterAll(() => node.stop())

  // Without the stream of events, which finds out before the change whenever any session or key ends.
  beforeEach(() => openPage({ isFollowing: false }))

  it('is that of a zip, too', async () => {
    await signInSecond()
    await deployZip()
    await visitor.page.getByRole('dialog', { name: 'Deployed' }).waitFor()
    expect(await creators()).toEqual([team.ownerId])
  })

  it.each(['a zip', 'a change'])('is not replaced by one of somebody else, for %s', async (what) => {
    await signInSecond()
    node.clock.aheadMs = 9 * hourMs
    try {
      if (what === 'a zip') await deployZip()
      else await visitor.page.getByRole('link', { name: 'Webhooks' }).first().click()
      await loadedAgain()
    } finally {
      node.clock.aheadMs = 0
    }
    expect(await creators()).toEqual([])
  })
})

/** The first of two owners opens the page of the team. */
async function openPage({ isFollowing = true } = {}): Promise<void> {
  team = await newTeam(node)
  const { userId } = await addMember(node, team, 'owner')
  first = await newSession(node, team.ownerId, 48 * hourMs)
  second = await newSession(node, userId, 48 * hourMs)
  visitor = await newVisitor(node, { session: first })
  if (!isFollowing) await visitor.page.route('**/trpc/events.follow**', () => {})
  await visitor.visit(`/${team.slug}`)
  await settled(visitor.page)
  // What a page loaded again no longer has.
  await visitor.page.evaluate(() => document.body.setAttribute('data-opened', 'before'))
}

/** Somebody else signs in in another tab of the same browser. */
async function signInSecond(): Promise<void> {
  const [name = '', value = ''] = second.cookie.split('=')
  await visitor.context.addCookies([{ name, value, url: node.apiUrl, httpOnly: true, sameSite: 'Lax' }])
}

async function deployZip(): Promise<void> {
  const buffer = zipOf([{ path: 'index.html', content: '<h1>zip</h1>' }])
  const { page } = visitor
  await page
    .getByLabel('Zip', { exact: true })
    .setInputFiles({ name: 'dropped.zip', mimeType: 'application/zip', buffer })
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
}

async function loadedAgain(): Promise<void> {
  await expect.poll(() => visitor.page.locator('[data-opened]').count(), { timeout: 10_000 }).toBe(0)
  await settled(visitor.page)
}

/** Who made the deployments of the team. */
async function creators(): Promise<string[]> {
  const { body } = await team.owner('GET', '/v1/deployments')
  return body.data.map(({ created_by }: { created_by: string }) => created_by)
}
