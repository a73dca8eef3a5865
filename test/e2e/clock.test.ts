/**
 * The program with a clock that is a year ahead.
 * @module-tag long
 */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCleanUps } from '../support/clean-ups.ts'
import { eventually } from '../support/eventually.ts'
import { postgresUrl } from '../support/postgres.ts'
import { type Program, startProgram, visit } from '../support/program.ts'
import { degradedIn } from '../support/readiness.ts'

const run = promisify(execFile)
const server = await postgresUrl()
const yearMs = 365 * 24 * 3_600_000
const ahead = { NODE_OPTIONS: `--import ${resolve('test/support/clock-ahead.mjs')}`, AHEAD_DAYS: '365' }

const cleanUps = createCleanUps()

const madeSchema = z.object({ url: z.string().default(''), created_ms: z.number() })
const readySchema = z.looseObject({ ready: z.literal(true) })

/** A preview with a retention of a week, and its label. */
async function deployPreview(program: Program): Promise<{ label: string; createdMs: number }> {
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
    const response = await fetch(program.apiUrl + path, { method, headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return madeSchema.parse(await response.json())
  }
  await call('PUT', '/v1/projects/web', { preview_ttl_days: 7 })
  const files = [{ path: 'index.html', content: 'hello' }]
  const { url, created_ms: createdMs } = await call('POST', '/v1/deployments', { project: 'web', files })
  return { label: new URL(url).hostname.split('.')[0] ?? '', createdMs }
}

/** What a ready node's /readyz lists as degraded. */
async function degradedOf(program: Program): Promise<string[]> {
  return degradedIn(readySchema.parse(await (await fetch(`${program.apiUrl}/readyz`)).json()))
}

it('the embedded database keeps everything until an administrator confirms the time', async () => {
  const environment = { SVC_DATA_DIR: await cleanUps.newDirectory() }
  const first = await startProgram(environment)
  const { label } = await deployPreview(first)
  await first.end('SIGTERM')

  const wrong = await startProgram({ ...environment, ...ahead })
  expect(await degradedOf(wrong)).toEqual(['clock'])
  expect(wrong.stderr()).toContain('svc admin clock accept')
  expect((await visit(wrong.siteUrl(label))).status).toBe(200)
  const { stdout } = await run(process.execPath, ['dist/svc.cjs', 'admin', 'clock', 'accept'], {
    env: { PATH: process.env.PATH, ...environment },
  })
  expect(stdout).toContain('Data expires again')
  expect(await degradedOf(wrong)).toEqual([])
  await wrong.end('SIGTERM')
  const next = await startProgram({ ...environment, ...ahead })
  await eventually(async () => expect((await visit(next.siteUrl(label))).status).toBe(404))
  await next.end('SIGTERM')
}, 60_000)

describe.runIf(server)('on PostgreSQL', () => {
  it('a node follows the clock of its database, and says that its own is off', async () => {
    const databaseUrl = await cleanUps.newDatabase(server)
    const environment = {
      DATABASE_URL: databaseUrl,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SVC_DATA_DIR: await cleanUps.newDirectory(),
    }
    const program = await startProgram({ ...environment, ...ahead })
    const { createdMs } = await deployPreview(program)
    expect(Math.abs(createdMs - Date.now())).toBeLessThan(yearMs / 2)
    expect(await degradedOf(program)).toEqual(['clock_off'])
    await program.end('SIGTERM')
  }, 60_000)
})
