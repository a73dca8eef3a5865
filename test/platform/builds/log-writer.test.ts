/** Lines are written soon, in order, and also after the database was unreachable for a while. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { createLogWriter } from '../../../src/platform/builds/log-writer.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'
import { linesOf } from './build-node.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

afterEach(() => vi.restoreAllMocks())

async function newLog(database = db) {
  const { id: teamId } = await newTeam(node)
  const deploymentId = newId('deployment', Date.now())
  const errors: unknown[] = []
  const writer = createLogWriter(
    { db: database, onError: (error) => errors.push(error) },
    { teamId, projectId: 'prj_1', deploymentId },
  )
  const read = async () => (await linesOf(node, deploymentId)).map(({ text }) => text)
  return { writer, read, errors, deploymentId }
}

const line = (text: string) => ({ text, timeMs: 1, level: 'info' }) as const

it('output can be read during the build', async () => {
  const { writer, read } = await newLog()
  writer.add(line('first'))
  await eventually(async () => expect(await read()).toEqual(['first']))
  writer.add(line('second'))
  await eventually(async () => expect(await read()).toEqual(['first', 'second']))
  await writer.close()
})

it('all output is there once the log is closed, however much there is', async () => {
  const { writer, read, deploymentId } = await newLog()
  const texts = Array.from({ length: 1_700 }, (_, index) => `line ${index} "quoted" ${'ü'.repeat(5)}`)
  for (const text of texts) writer.add(line(text))
  await writer.close()
  expect(await read()).toEqual(texts)
  const [row] = await db.select().from(logLines).where(eq(logLines.deploymentId, deploymentId)).limit(1)
  expect(row).toMatchObject({ kind: 'build', level: 'info', projectId: 'prj_1', fields: {}, timeMs: 1 })
})

it('other work runs between two statements, none of which is long', async () => {
  const { writer, read } = await newLog()
  const texts = [
    ...Array.from({ length: 3_000 }, (_, index) => `${index}`),
    ...Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(8_000, '.')),
  ]
  for (const text of texts) writer.add(line(text))
  let turns = 0
  const turn = () => {
    turns += 1
    handle = setImmediate(turn)
  }
  let handle = setImmediate(turn)
  await writer.close()
  clearImmediate(handle)
  expect(turns).toBeGreaterThanOrEqual(6 + 3)
  expect(await read()).toEqual(texts)
})

it('lines that cannot be written are written later', async () => {
  // A database of its own: the node's other work on the shared one would use up the single failure.
  const awayOnce: Database = Object.create(db)
  vi.spyOn(awayOnce, 'execute').mockImplementationOnce(() => {
    throw new Error('The database is away.')
  })
  const { writer, read, errors } = await newLog(awayOnce)
  writer.add(line('first'))
  await eventually(() => expect(errors).toHaveLength(1))
  writer.add(line('second'))
  await eventually(async () => expect(await read()).toEqual(['first', 'second']))
  await writer.close()
})
