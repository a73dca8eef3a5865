/**
 * A process is killed in the middle of a build: another worker, or the next start, runs the build again,
 * once.
 * @module-tag long
 */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countProcesses } from '../platform/builds/processes.ts'
import { createDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'
import { hasSandbox } from '../support/sandbox.ts'

const server = await postgresUrl()
const sandbox = await hasSandbox()

const timeout = 240_000

const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

const answerSchema = z.object({
  id: z.string(),
  state: z.string(),
  url: z.string(),
  error: z.object({ reason: z.string() }).nullable(),
})

async function call(program: Program, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${program.apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** Starts a build, and resolves once its command runs. */
async function begin(program: Program, key: string, command: string) {
  await call(program, key, 'PUT', '/v1/projects/web', {})
  const input = {
    project: 'web',
    files: [{ path: 'page.txt', content: 'hello' }],
    build: { build_command: command },
  }
  const { id } = answerSchema.parse(await call(program, key, 'POST', '/v1/deployments', input))
  await runs(command)
  return id
}

const runs = (command: string) =>
  eventually(async () => expect(await countProcesses(command)).toBeGreaterThan(0), { limitMs: 60_000 })

async function whenEnded(program: Program, key: string, id: string) {
  for (let round = 1; ; round += 1) {
    const answer = answerSchema.parse(await call(program, key, 'GET', `/v1/deployments/${id}?wait_s=10`))
    if (!['queued', 'building'].includes(answer.state) || round === 12) return answer
  }
}

describe.runIf(sandbox).concurrent('a program that is killed during a build', () => {
  it('stops its build, runs it again after its next start, and fails it the second time', {
    timeout,
  }, async () => {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    const command = `sleep ${process.pid}71`
    const first = await startProgram({ SVC_DATA_DIR: directory })
    const key = first.key ?? ''
    const id = await begin(first, key, command)
    await first.end('SIGKILL')
    await eventually(async () => expect(await countProcesses(command)).toBe(0))
    const second = await startProgram({ SVC_DATA_DIR: directory })
    await runs(command)
    await second.end('SIGKILL')
    const third = await startProgram({ SVC_DATA_DIR: directory })
    expect(await whenEnded(third, key, id)).toMatchObject({
      state: 'error',
      error: { reason: 'worker_lost' },
    })
    await third.end('SIGTERM')
  })
})

describe.runIf(sandbox && server).concurrent('two nodes that run builds', () => {
  it('a node takes over the build of another one that was killed', { timeout }, async () => {
    const database = await createDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const blobs = await newDataDirectory()
    cleanUps.push(() => rm(blobs, { recursive: true, force: true }))
    const start = async () => {
      const directory = await newDataDirectory()
      cleanUps.push(() => rm(directory, { recursive: true, force: true }))
      await mkdir(directory, { recursive: true })
      await symlink(blobs, join(directory, 'blobs'))
      return startProgram({
        SVC_DATA_DIR: directory,
        DATABASE_URL: database.url,
        SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      })
    }
    const dying = await start()
    const key = dying.key ?? ''
    const command = `sleep 4; mkdir dist; echo ${process.pid}72 > dist/index.html`
    const id = await begin(dying, key, command)
    const other = await start()
    await dying.end('SIGKILL')
    await sleep(100)
    const ended = await whenEnded(other, key, id)
    expect(ended).toMatchObject({ state: 'ready', error: null })
    const { host } = new URL(ended.url)
    const [label = ''] = host.split('.')
    expect((await visit(other.siteUrl(label))).text).toBe(`${process.pid}72\n`)
    await other.end('SIGTERM')
  })
})
