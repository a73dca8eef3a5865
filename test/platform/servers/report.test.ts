/** What a node says about its servers is in the database, and no longer than it is true. */
import { asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { nodeName, reportServers } from '../../../src/platform/servers/report.ts'
import { deleteLostServers, writeServerRows } from '../../../src/platform/servers/server-rows.ts'
import type { ServerStatus } from '../../../src/platform/servers/server-status.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { servers } from '../../../src/stores/db/schema/servers.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { deploy } from '../deployments/steps.ts'

const log = createLogger({ write: () => {} })

let node: TestNode
let db: Database
let team: TestTeam
let deploymentId: string

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

beforeEach(async () => {
  team = await newTeam(node)
  deploymentId = (await deploy(team)).id
})

const server = (fields: Partial<ServerStatus> = {}): ServerStatus => ({
  teamId: team.id,
  projectId: 'prj_1',
  deploymentId,
  target: 'production',
  state: 'running',
  sinceMs: 1_000,
  memoryBytes: 50_000_000,
  restarts: 0,
  ...fields,
})

const rows = () =>
  db.select().from(servers).where(eq(servers.deploymentId, deploymentId)).orderBy(asc(servers.target))

/** A report of a node of its own, and what it reports. */
function newReport(database = db) {
  let running: ServerStatus[] = []
  const list = vi.fn(() => running)
  const report = reportServers({ db: database, log, node: newId('deployment', 1), list })
  return {
    report,
    list,
    run(...now: ServerStatus[]) {
      running = now
      report.changed()
    },
  }
}

it('servers are there soon after they start, change and end', async () => {
  const { report, run } = newReport()
  run(server({ state: 'starting', memoryBytes: null }), server({ target: 'preview' }))
  await eventually(async () => expect(await rows()).toHaveLength(2))
  expect(await rows()).toMatchObject([
    { target: 'preview', state: 'running', sinceMs: 1_000, memoryBytes: 50_000_000, restarts: 0 },
    { target: 'production', state: 'starting', memoryBytes: null },
  ])
  run(server({ state: 'crashed', sinceMs: 2_000, restarts: 3 }))
  await eventually(async () =>
    expect(await rows()).toMatchObject([
      { target: 'production', state: 'crashed', sinceMs: 2_000, restarts: 3 },
    ]),
  )
  run()
  await eventually(async () => expect(await rows()).toEqual([]))
  await report.close()
})

it('a row holds for half a minute by the clock of the database', async () => {
  await writeServerRows(db, 'one', { running: [server()], gone: [] })
  const [row] = await rows()
  const leftMs = (row?.leaseUntilMs ?? 0) - Date.now()
  expect(leftMs).toBeGreaterThan(0)
  expect(leftMs).toBeLessThanOrEqual(35_000)
})

it('changes that come together are written together', async () => {
  const { report, run, list } = newReport()
  for (let restarts = 1; restarts <= 20; restarts += 1) run(server({ restarts }))
  await eventually(async () => expect(await rows()).toMatchObject([{ restarts: 20 }]))
  expect(list).toHaveBeenCalledTimes(1)
  await report.close()
})

it('nodes say what they run, each for itself, and nothing once they have stopped', async () => {
  const [one, two] = [newReport(), newReport()]
  one.run(server())
  two.run(server())
  await eventually(async () => expect(await rows()).toHaveLength(2))
  await one.report.close()
  expect(await rows()).toHaveLength(1)
  await two.report.close()
  expect(await rows()).toEqual([])
})

it('a node whose deployment was deleted goes on with the others', async () => {
  const { report, run } = newReport()
  run(server({ deploymentId: newId('deployment', 1) }), server())
  await eventually(async () => expect(await rows()).toHaveLength(1))
  await report.close()
})

it('what ended while the database was away is gone when it is back', async () => {
  const away: Database = Object.create(db)
  const { report, run } = newReport(away)
  run(server())
  await eventually(async () => expect(await rows()).toHaveLength(1))
  const execute = vi.spyOn(away, 'execute').mockImplementationOnce(() => {
    throw new Error('The database is away.')
  })
  run()
  await eventually(() => expect(execute).toHaveBeenCalledTimes(1))
  run()
  await eventually(async () => expect(await rows()).toEqual([]))
  await report.close()
})

it('rows whose lease has ended are removed', async () => {
  await writeServerRows(db, 'lost', { running: [server()], gone: [] })
  const [row] = await rows()
  const endMs = row?.leaseUntilMs ?? 0
  await deleteLostServers(db, endMs)
  expect(await rows()).toHaveLength(1)
  await deleteLostServers(db, endMs + 1)
  expect(await rows()).toEqual([])
})

it('two nodes of a machine have names of their own', () => {
  expect(nodeName('/srv/one')).not.toBe(nodeName('/srv/two'))
  expect(nodeName('/srv/one')).toBe(nodeName('/srv/one'))
})
