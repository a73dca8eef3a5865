/**
 * The page of a project's server: what runs, what it prints as it comes, and how it is restarted.
 *
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { writeServerRows } from '../../../src/platform/servers/server-rows.ts'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import { deployments, projects } from '../../../src/stores/db/schema/projects.ts'
import { deploy } from '../../../test/platform/deployments/steps.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { axeViolations, closeChromium, newVisitor, overflow, settled, type Visitor } from './chromium.ts'

let node: TestNode
let team: TestTeam
let live: { id: string }
let page: Visitor['page']
let goTo: Visitor['visit']

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api,edge', SVC_DASHBOARD: 'on' })
})

beforeEach(async () => {
  team = await newTeam(node)
  live = await deploy(team, { target: 'production' })
  const visitor = await newVisitor(node, { session: await newSession(node, team.ownerId) })
  page = visitor.page
  goTo = visitor.visit
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

const db = () => node.installation.store.db

const giveServer = () =>
  db()
    .update(deployments)
    .set({
      server: { command: 'node server.js', directory: '', node: '24.1.0', platform: 'linux-x64-glibc' },
    })
    .where(eq(deployments.id, live.id))

const run = (state: 'running' | 'crashed') =>
  writeServerRows(db(), 'one', {
    running: [
      {
        teamId: team.id,
        projectId: '',
        deploymentId: live.id,
        target: 'production',
        state,
        sinceMs: Date.now() - 65_000,
        memoryBytes: 64 * 1024 * 1024,
        restarts: 3,
      },
    ],
    gone: [],
  })

async function print(message: string): Promise<void> {
  const { id: projectId } = (await team.owner('GET', '/v1/projects/web')).body
  const shared = { teamId: team.id, projectId, deploymentId: live.id, fields: { target: 'production' } }
  await db()
    .insert(logLines)
    .values({ ...shared, kind: 'runtime', level: 'info', message, timeMs: Date.now() })
}

it('says how a project that serves files alone gets a server', async () => {
  await goTo(`/${team.slug}/web/server`)
  await page.getByText('This project serves files alone').waitFor()
  expect(await page.getByRole('button', { name: 'Restart' }).count()).toBe(0)
})

it('shows the state as it changes, and lines as they come', async () => {
  await giveServer()
  await print('listening')
  await goTo(`/${team.slug}/web/server`)
  await page.getByText('until a request comes').waitFor()
  await page.getByRole('log').getByText('listening').waitFor()
  await run('running')
  await page.getByText('64.0 MiB of 512 MiB').waitFor()
  await page.getByRole('table', { name: 'Processes' }).getByText('Running').waitFor()
  await print('GET /orders took 7 ms')
  await page.getByRole('log').getByText('GET /orders took 7 ms').waitFor()
  await run('crashed')
  await page.getByRole('table', { name: 'Processes' }).getByText('Crashed').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      await settled(page)
      expect(await axeViolations(page), `${colorScheme}, ${width}`).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
  }
})

it('restarts by keyboard, after a question', async () => {
  await giveServer()
  await run('running')
  await goTo(`/${team.slug}/web/server`)
  await page.getByRole('button', { name: 'Restart', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Restart the servers of web?' })
  await dialog.getByRole('button', { name: 'Restart', exact: true }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const [project] = await db().select().from(projects).where(eq(projects.teamId, team.id))
  expect(project?.restartedMs).toBeGreaterThan(0)
})
