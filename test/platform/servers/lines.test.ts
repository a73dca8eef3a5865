/** What servers print is in the log, as much of it as a server may write. */
import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { createLogger } from '../../../src/lib/log/logger.ts'
import { createServerLogs } from '../../../src/platform/servers/lines.ts'
import type { Database } from '../../../src/stores/db/database.ts'
import { logLines } from '../../../src/stores/db/schema/logs.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'
import { newTeam } from '../../support/team.ts'

const log = createLogger({ write: () => {} })

let node: TestNode
let db: Database

beforeAll(async () => {
  node = await sharedNode()
  db = node.installation.store.db
})

async function newServer() {
  const { id: teamId } = await newTeam(node)
  const deploymentId = newId('deployment', Date.now())
  let time = 0
  const logs = createServerLogs({ db, log, nowMs: Date.now, now: () => time })
  const server = logs.of({ teamId, projectId: 'prj_1', deploymentId, target: 'production' })
  const print = (text: string, stream: 'stdout' | 'stderr' = 'stdout') => server.print({ stream, text })
  return {
    logs,
    server,
    print,
    pass: (ms: number) => {
      time += ms
    },
    read: () =>
      db
        .select({
          kind: logLines.kind,
          level: logLines.level,
          message: logLines.message,
          fields: logLines.fields,
          project: logLines.projectId,
        })
        .from(logLines)
        .where(eq(logLines.deploymentId, deploymentId))
        .orderBy(asc(logLines.id)),
  }
}

it('a line says of which process it is, and how serious it may be', async () => {
  const { logs, server, print, read } = await newServer()
  print('listening')
  print('deprecated', 'stderr')
  server.say('error', 'It ended with exit code 1.')
  await logs.close()
  const shared = { kind: 'runtime', fields: { target: 'production' }, project: 'prj_1' }
  expect(await read()).toEqual([
    { ...shared, level: 'info', message: 'listening' },
    { ...shared, level: 'warn', message: 'deprecated' },
    { ...shared, level: 'error', message: 'It ended with exit code 1.' },
  ])
})

it('a thousand lines at once are kept, and a line counts the others', async () => {
  const { logs, print, read } = await newServer()
  for (let index = 0; index < 1_500; index += 1) print(`line ${index}`)
  await logs.close()
  const lines = await read()
  expect(lines).toHaveLength(1_001)
  expect(lines[999]).toMatchObject({ message: 'line 999' })
  expect(lines[1_000]).toMatchObject({ level: 'warn', message: 'dropped 500 lines' })
})

it('lines that were never read count as dropped', async () => {
  const { logs, server, print, read } = await newServer()
  print('first')
  server.drop(3)
  await logs.close()
  expect((await read()).map(({ message }) => message)).toEqual(['first', 'dropped 3 lines'])
})

it('a hundred a second are kept after that', async () => {
  const { logs, print, pass, read } = await newServer()
  for (let index = 0; index < 1_000; index += 1) print('first')
  pass(1_000)
  for (let index = 0; index < 101; index += 1) print('later')
  await logs.close()
  const lines = await read()
  expect(lines.filter(({ message }) => message === 'later')).toHaveLength(100)
  expect(lines.at(-1)).toMatchObject({ message: 'dropped 1 line' })
})

it('the count is there while the server still prints, and begins anew', async () => {
  const { logs, print, read } = await newServer()
  const counts = async () =>
    (await read()).map(({ message }) => message).filter((message) => message.startsWith('dropped'))
  for (let index = 0; index < 1_003; index += 1) print('x')
  await eventually(async () => expect(await counts()).toEqual(['dropped 3 lines']))
  print('x')
  print('x')
  await eventually(async () => expect(await counts()).toEqual(['dropped 3 lines', 'dropped 2 lines']))
  await logs.close()
})

it('a server that prints too much does not silence the platform', async () => {
  const { logs, server, print, read } = await newServer()
  for (let index = 0; index < 2_000; index += 1) print('x')
  server.say('error', 'It was ended: it used too much memory.')
  await logs.close()
  expect((await read()).map(({ level }) => level)).toContain('error')
})

it('while the database is away, what waits is bounded, and what was too much is counted', async () => {
  const { logs, print, pass, read } = await newServer()
  // Nothing is written before this function lets others run.
  for (let index = 0; index < 500; index += 1) {
    print('x'.repeat(8_000))
    pass(10)
  }
  await logs.close()
  const kept = (await read()).filter(({ message }) => message.startsWith('x'))
  expect(kept.length * 8_000).toBeLessThanOrEqual(1024 * 1024)
  expect(kept.length * 8_000).toBeGreaterThan(900_000)
})

it('what is dropped for want of room is counted once there is room', async () => {
  const { logs, print, read } = await newServer()
  for (let index = 0; index < 500; index += 1) print('x'.repeat(8_000))
  await eventually(async () => expect((await read()).at(-1)?.message).toMatch(/^dropped \d+ lines$/))
  const lines = await read()
  expect(lines.at(-1)?.message).toBe(`dropped ${500 - (lines.length - 1)} lines`)
  await logs.close()
})
