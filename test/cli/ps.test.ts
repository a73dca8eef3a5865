/** `svc ps`: servers of deployments, as they run. */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { writeServerRows } from '../../src/platform/servers/server-rows.ts'
import { deployments } from '../../src/stores/db/schema/projects.ts'
import { deploy } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const server = { command: 'node server.js', directory: '', node: '24.1.0', platform: 'linux-x64-glibc' }

it('lists what runs, shows it with the deployment, and restarts it', async () => {
  const { db } = node.installation.store
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { id } = await deploy(team, { target: 'production' })
  await db.update(deployments).set({ server }).where(eq(deployments.id, id))
  expect(await svc(['ps'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No server runs: the first request to a site starts its server.'),
  })
  expect((await svc(['deployments', 'show', id])).stdout).toMatch(/^server\tstopped$/m)
  expect(await svc(['ps', 'restart', 'web'])).toMatchObject({
    code: 0,
    stderr: 'No server of web runs: the next request starts it.\n',
  })

  const status = {
    teamId: team.id,
    projectId: '',
    deploymentId: id,
    target: 'production',
    state: 'running',
    sinceMs: Date.now() - 3 * 60_000,
    memoryBytes: 65 * 1024 * 1024,
    restarts: 2,
  } as const
  await writeServerRows(db, 'one', { running: [status], gone: [] })
  const { stdout } = await svc(['ps'])
  expect(stdout).toBe(`web\tproduction\trunning\t65 MiB\t3m\t2\tone\t${id}\n`)
  expect((await svc(['ps', '--project', 'web'])).stdout).toBe(stdout)
  expect(JSON.parse((await svc(['ps', '--json'])).stdout)).toMatchObject([{ project: 'web', restarts: 2 }])
  const record = (await svc(['deployments', 'show', id])).stdout
  expect(record).toMatch(/^server\trunning, 65 MiB, 2 restarts$/m)
  expect(record).toMatch(/^command\tnode server\.js$/m)
  expect((await svc(['ps', 'restart', 'web'])).stdout).toBe('Restarting 1 server of web.\n')
  expect(await svc(['ps', '--project', 'no'])).toMatchObject({ code: 4 })
  expect(await svc(['ps', 'restart', 'no'])).toMatchObject({ code: 4 })
})
