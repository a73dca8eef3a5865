/** The settings of a project's server, as its people set and see them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, overflow, settled } from './chromium.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on', SVC_BUILD_SANDBOX: 'none' })
  team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

async function visitSettings(userId: string) {
  const visitor = await newVisitor(node, { session: await newSession(node, userId) })
  await visitor.visit(`/${team.slug}/web/settings`)
  await settled(visitor.page)
  return visitor
}

it('an owner says what starts it and what it may take, in MiB and minutes', async () => {
  const { page, visit } = await visitSettings(team.ownerId)
  await page.getByLabel('Start command').fill('node server.mjs')
  await page.getByLabel('Health path').fill('/up')
  await page.getByLabel('Memory in MiB').fill('256')
  await page.getByLabel('Stop when idle after minutes').fill('')
  await page.getByLabel('Keep it running in production').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  expect((await team.owner('GET', '/v1/projects/web')).body).toMatchObject({
    start: 'node server.mjs',
    runtime: { memory_bytes: 256 * 1024 * 1024, health_path: '/up', idle_s: 900, min: 1 },
  })
  await page.setViewportSize({ width: 390, height: 900 })
  expect(await overflow(page)).toBe(0)

  const files = [{ path: 'server.mjs', content: '' }]
  const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', files })
  await visit(`/${team.slug}/web/deployments/${body.id}?tab=details`)
  await page.getByText('Starts node server.mjs').waitFor()
  expect(await page.getByText('files are served as sent').count()).toBe(0)
})

it('a member says what starts it, and what tells that it is well', async () => {
  const { page } = await visitSettings((await addMember(node, team)).userId)
  expect(await page.getByLabel('Start command').isEnabled()).toBe(true)
  expect(await page.getByLabel('Health path').isEnabled()).toBe(true)
  expect(await page.getByLabel('Memory in MiB').isEnabled()).toBe(false)
  expect(await page.getByLabel('Stop when idle after minutes').isEnabled()).toBe(false)
  expect(await page.getByLabel('Keep it running in production').isEnabled()).toBe(false)
})
