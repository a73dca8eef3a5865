/** The picture of the README, which `WRITE_PICTURE=1` takes anew. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { teams } from '../../../src/stores/db/schema/teams.ts'
import { visit } from '../../../test/platform/deployments/steps.ts'
import { startOwnNode } from '../../../test/stores/db/own-node.ts'
import type { TestNode } from '../../../test/support/node.ts'
import { newSession } from '../../../test/support/session.ts'
import { newTeam, type TestTeam } from '../../../test/support/team.ts'
import { closeChromium, newVisitor, settled } from './chromium.ts'

const file = fileURLToPath(new URL('../../picture.png', import.meta.url))
const maxBytes = 200_000
const hourMs = 3_600_000

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await startOwnNode({
    SVC_ROLES: 'api,edge,worker',
    SVC_DASHBOARD: 'on',
    SVC_BUILD_SANDBOX: 'none',
  })
  team = await newTeam(node)
})

afterAll(async () => {
  await closeChromium()
  await node.stop()
})

/** Deployments of a project, the last of which is the newest, and how much of the traffic it has. */
const sites = [
  {
    project: 'docs',
    share: 0.4,
    deployments: [{ hoursAgo: 29, target: 'production', branch: 'main', message: 'Describe the new limits' }],
  },
  {
    project: 'shop',
    share: 1,
    deployments: [
      { hoursAgo: 51, target: 'production', branch: 'main', message: 'Add the cart' },
      { hoursAgo: 2, target: 'preview', branch: 'checkout', message: 'A checkout on one page' },
    ],
  },
  {
    project: 'www',
    share: 1.7,
    deployments: [{ hoursAgo: 26, target: 'production', branch: 'main', message: 'Announce version 2' }],
  },
]

/** As on a working day. */
const requestsByHour = [2, 1, 1, 1, 2, 4, 9, 16, 24, 30, 28, 25, 27, 31, 29, 26, 22, 18, 14, 11, 9, 7, 5, 3]

type NewDeployment = { hoursAgo: number; target: string; branch: string; message: string }

async function deploy(project: string, { hoursAgo, target, ...meta }: NewDeployment): Promise<string> {
  node.clock.aheadMs = -hoursAgo * hourMs
  const files = [{ path: 'index.html', content: `<h1>${project}</h1>` }]
  const { body } = await team.owner('POST', '/v1/deployments', { project, target, meta, files })
  return body.url
}

async function fillTeam(): Promise<void> {
  const { db } = node.installation.store
  await db.update(teams).set({ slug: 'acme', name: 'Acme' }).where(eq(teams.id, team.id))
  for (const { project, share, deployments } of sites) {
    await team.owner('PUT', `/v1/projects/${project}`, {})
    const urls: string[] = []
    for (const deployment of deployments) urls.push(await deploy(project, deployment))
    for (const [hour, requests] of requestsByHour.entries()) {
      node.clock.aheadMs = (hour - requestsByHour.length + 1) * hourMs
      await Promise.all(Array.from({ length: requests * share }, () => visit(urls[0] ?? '')))
    }
  }
  await team.owner('PUT', '/v1/projects/app', { build: { build_command: 'npm run build' } })
  await deploy('app', { hoursAgo: 0, target: 'production', branch: 'main', message: 'Load the chart lazily' })
}

it.runIf(process.env.WRITE_PICTURE)('is taken of a team', async () => {
  await fillTeam()
  const { page, visit: goTo } = await newVisitor(node, {
    session: await newSession(node, team.ownerId),
    width: 1200,
  })
  await page.setViewportSize({ width: 1200, height: 640 })
  await goTo('/acme')
  await settled(page)
  await expect.poll(() => page.getByText('Failed').count(), { timeout: 10_000 }).toBeGreaterThan(0)
  await page
    .getByText(/^\d\d\d req$/)
    .first()
    .waitFor()
  await page.screenshot({ path: file })
})

it('is a PNG of at most 200 kB', async () => {
  const bytes = await readFile(file)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(bytes.length).toBeLessThanOrEqual(maxBytes)
})
