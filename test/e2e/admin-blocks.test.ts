/**
 * Checks and backups of a large installation don't hold the node up, also where the database runs in the
 * node's own thread.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openPglite } from '../../src/stores/db/open-database.ts'
import { newHome } from '../cli/svc.ts'
import { blockOver, watchBusy } from '../support/busy.ts'
import { newDataDirectory, type Program, startOnWhatIsThere, startProgram } from '../support/program.ts'

const entries = 200_000

let directory: string
let node: Program
let busyFile: string

beforeAll(async () => {
  directory = await newDataDirectory()
  busyFile = join(inject('directory'), 'busy-check')
  const first = await startProgram({ SVC_DATA_DIR: directory })
  const headers = { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' }
  await fetch(`${first.apiUrl}/v1/projects/site`, { method: 'PUT', headers })
  const body = JSON.stringify({ project: 'site', files: [{ path: 'index.html', content: 'hello' }] })
  await fetch(`${first.apiUrl}/v1/deployments`, { method: 'POST', headers, body })
  await first.end('SIGTERM')
  await enlarge(join(directory, 'db'))
  node = await startOnWhatIsThere({ SVC_DATA_DIR: directory, SVC_ROLES: 'api', ...watchBusy(busyFile) })
}, 120_000)

afterAll(async () => {
  await node.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

/** Many rows that are all as they should be. */
async function enlarge(database: string): Promise<void> {
  const { db, close } = await openPglite(database)
  await db.execute(sql`insert into manifest_entries
    select manifest_id, 'a/long/path/to/file-' || number, blob_id
    from manifest_entries, generate_series(1, ${sql.raw(String(entries))}) as number`)
  await db.execute(sql`update deployments set files = files + ${entries}`)
  await db.execute(sql`insert into log_lines (team_id, kind, level, message, fields, time_ms)
    select id, 'request', 'info', repeat('x', 200), '{}', number
    from teams, generate_series(1, 50000) as number`)
  await close()
}

it.each([
  ['check', ['check', '--deep'], 'Nothing is wrong.'],
  ['backup', ['backup', 'backups'], 'is complete.'],
])(
  'during a %s it computes for less than 200 ms at a stretch',
  async (_, args, said) => {
    const { svc, home } = await newHome()
    await fetch(`${node.apiUrl}/healthz`)
    await blockOver(200, busyFile)
    const done = await svc(['admin', ...args], { env: { SVC_DATA_DIR: directory }, cwd: home })
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(said) })
    expect(await blockOver(200, busyFile)).toBeUndefined()
  },
  120_000,
)
