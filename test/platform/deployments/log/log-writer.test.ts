/** Lines are written soon, in order, and also after the database was unreachable for a while. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { newId } from '../../../../src/lib/ids.ts'
import { createLogWriter } from '../../../../src/platform/deployments/log/log-writer.ts'
import type { Database } from '../../../../src/stores/db/database.ts'
import { logLines } from '../../../../src/stores/db/schema/logs.ts'
import { teams } from '../../../../src/stores/db/schema/teams.ts'
import { eventually } from '../../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'
import { newTeam } from '../../../support/team.ts'
import { linesOf } from '../../builds/build-node.ts'

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

afterEach(() => vi.restoreAllMocks())

async function newSource() {
  const { id: teamId } = await newTeam(node)
  const deploymentId = newId('deployment', Date.now())
  const read = async () => (await linesOf(node, deploymentId)).map(({ text }) => text)
  const readRow = async () => {
    const [row] = await db.select().from(logLines).where(eq(logLines.deploymentId, deploymentId)).limit(1)
    return row
  }
  return { source: { teamId, projectId: 'prj_1', deploymentId }, read, readRow }
}

async function newLog({ database = db, maxWaiting = 1e9 } = {}) {
  const { source, ...reading } = await newSource()
  const errors: unknown[] = []
  const writer = createLogWriter({
    db: database,
    kind: 'build',
    maxWaiting,
    nowMs: () => nowMs,
    onError: (error) => errors.push(error),
  })
  const add = (line: Parameters<typeof writer.add>[1]) => writer.add(source, line)
  return { writer, add, errors, source, ...reading }
}

const nowMs = 1_000_000

const line = (text: string) => ({ text, timeMs: nowMs, level: 'info' }) as const

it('output can be read during the build', async () => {
  const { writer, add, read } = await newLog()
  add(line('first'))
  await eventually(async () => expect(await read()).toEqual(['first']))
  add(line('second'))
  await eventually(async () => expect(await read()).toEqual(['first', 'second']))
  await writer.close()
})

it('all output is there once the log is closed, however much there is', async () => {
  const { writer, add, read, readRow } = await newLog()
  const texts = Array.from({ length: 1_700 }, (_, index) => `line ${index} "quoted" ${'ü'.repeat(5)}`)
  for (const text of texts) add(line(text))
  await writer.close()
  expect(await read()).toEqual(texts)
  expect(await readRow()).toMatchObject({
    kind: 'build',
    level: 'info',
    projectId: 'prj_1',
    fields: {},
    timeMs: nowMs,
  })
})

it('other work runs between two statements, none of which is long', async () => {
  const { writer, add, read } = await newLog()
  const texts = [
    ...Array.from({ length: 3_000 }, (_, index) => `${index}`),
    ...Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(8_000, '.')),
  ]
  for (const text of texts) add(line(text))
  let turns = 0
  const turn = () => {
    turns += 1
    handle = setImmediate(turn)
  }
  let handle = setImmediate(turn)
  await writer.close()
  clearImmediate(handle)
  expect(turns).toBeGreaterThanOrEqual(3_000 / 50 + 100 / 5)
  expect(await read()).toEqual(texts)
})

it('others have as long as it takes to write', async () => {
  const writtenMs = 20
  const busy: Database = Object.create(db)
  const writes: { begunMs: number; endedMs: number }[] = []
  vi.spyOn(busy, 'execute').mockImplementation((...given) => {
    const begunMs = performance.now()
    while (performance.now() - begunMs < writtenMs);
    writes.push({ begunMs, endedMs: performance.now() })
    return db.execute(...given)
  })
  const { writer, add } = await newLog({ database: busy })
  for (let n = 0; n < 150; n += 1) add(line(`${n}`))
  await eventually(() => expect(writes).toHaveLength(3))
  await writer.close()
  const pauses = writes.slice(1).map(({ begunMs }, index) => begunMs - (writes[index]?.endedMs ?? 0))
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(writtenMs - 2)
})

/** A database of its own: the node's other work on the shared one would use up the failures. */
function awayFor(failures: number): Database {
  const away: Database = Object.create(db)
  const execute = vi.spyOn(away, 'execute')
  for (let left = failures; left > 0; left -= 1) {
    execute.mockImplementationOnce(() => {
      throw new Error('The database is away.')
    })
  }
  return away
}

it('lines that cannot be written are written later', async () => {
  const { writer, add, read, errors } = await newLog({ database: awayFor(1) })
  add(line('first'))
  await eventually(() => expect(errors).toHaveLength(1))
  add(line('second'))
  await eventually(async () => expect(await read()).toEqual(['first', 'second']))
  await writer.close()
})

it('a line that is written late has a time that followers have not passed', async () => {
  const { writer, add, readRow } = await newLog()
  add({ ...line('late'), timeMs: nowMs - 5_000 })
  await writer.close()
  expect(await readRow()).toMatchObject({ timeMs: nowMs - 600 })
})

it('a source that has filled its room is refused until its lines are written, others are not', async () => {
  const { writer, add, source, read } = await newLog({ maxWaiting: 1_000 })
  const other = await newSource()
  expect(add(line('a'.repeat(800)))).toBe(true)
  expect(add(line('b'.repeat(800)))).toBe(false)
  expect(writer.add(other.source, line('c'.repeat(800)))).toBe(true)
  await eventually(async () => expect(await read()).toHaveLength(1))
  expect(writer.add(source, line('d'.repeat(800)))).toBe(true)
  await writer.close()
  expect((await read()).map((text) => text[0])).toEqual(['a', 'd'])
  expect(await other.read()).toHaveLength(1)
})

it('lines of a deleted team are left out, without holding up those of others', async () => {
  const { writer, add, source, read } = await newLog()
  const other = await newSource()
  await db.update(teams).set({ deletedMs: 1 }).where(eq(teams.id, source.teamId))
  add(line('gone'))
  writer.add(other.source, line('there'))
  await writer.close()
  expect(await read()).toEqual([])
  expect(await other.read()).toEqual(['there'])
})
