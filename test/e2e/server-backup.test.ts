/**
 * Servers in an installation that is backed up, killed and restored, and in the storage of their team.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newHome, type Svc } from '../cli/svc.ts'
import { eventually, until } from '../support/eventually.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'
import { hasSandbox } from '../support/sandbox.ts'

const timeout = 240_000
const patience = { limitMs: 90_000 }
const storageBytes = 1_000_000

const deploymentSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  error: z.object({ reason: z.string(), message: z.string() }).nullable(),
})
const linesSchema = z.object({ data: z.array(z.object({ message: z.string() })) })

const saying = (text: string) => `
  require('node:http').createServer((_, response) => response.end('${text} ' + process.env.WORD))
    .listen(process.env.PORT)`

describe.runIf(await hasSandbox())('servers', () => {
  const directories: string[] = []
  let env: Record<string, string>
  let svc: Svc
  let node: Program
  let place: string
  let key: string

  async function newDirectory(): Promise<string> {
    const made = await newDataDirectory()
    directories.push(made)
    return made
  }

  beforeAll(async () => {
    svc = (await newHome()).svc
    env = {
      SVC_DATA_DIR: await newDirectory(),
      SVC_BUILD_NETWORK: 'none',
      SVC_BUILD_CONCURRENCY: '2',
      SVC_STORAGE_FREE: `${storageBytes}`,
    }
    place = await newDirectory()
    node = await startProgram(env)
    key = node.key ?? ''
  }, timeout)

  afterAll(async () => {
    await node.end('SIGTERM')
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
  })

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(node.apiUrl + path, init)
    const answer = await response.json()
    expect(response.status, JSON.stringify(answer)).toBe(200)
    return answer
  }

  async function begin(project: string, content: string, more: object = {}): Promise<string> {
    await call('PUT', `/v1/projects/${project}`, { env: [{ key: 'WORD', value: 'kept' }], ...more })
    const files = [{ path: 'server.js', content }]
    const request = { project, target: 'production', files, build: { start: 'node server.js' } }
    return deploymentSchema.parse(await call('POST', '/v1/deployments', request)).id
  }

  const whenEnded = (id: string) =>
    until(async () => {
      const answer = deploymentSchema.parse(await call('GET', `/v1/deployments/${id}?wait_s=10`))
      return ['ready', 'error'].includes(answer.state) && answer
    }, patience)

  async function deploy(project: string, content: string): Promise<void> {
    const ended = await whenEnded(await begin(project, content))
    expect(ended.state, JSON.stringify(ended)).toBe('ready')
  }

  /** The server before it answers until the next one does. */
  const expectPage = (label: string, text: string) =>
    eventually(
      async () => expect(await visit(node.siteUrl(label))).toMatchObject({ status: 200, text }),
      patience,
    )

  const linesOf = async (id: string) =>
    linesSchema
      .parse(await call('GET', `/v1/logs?kind=build&deployment=${id}`))
      .data.map(({ message }) => message)

  async function admin(...args: string[]): Promise<void> {
    const { code, stdout, stderr } = await svc(['admin', ...args], { env })
    expect(code, stdout + stderr).toBe(0)
  }

  it('have their files and variables after a restore, and no release command runs twice', {
    timeout,
  }, async () => {
    await deploy('web', saying('first'))
    await expectPage('web', 'first kept')
    const released = await begin('released', saying('released'), {
      runtime: { release: 'echo begun; exec sleep 600' },
    })
    await eventually(async () => expect(await linesOf(released)).toContain('begun'), patience)
    await admin('backup', place)
    await deploy('web', saying('second'))
    await expectPage('web', 'second kept')

    await node.end('SIGKILL')
    await admin('restore', place, '--replace')
    node = await startProgram(env)
    await expectPage('web', 'first kept')
    expect(await whenEnded(released)).toMatchObject({
      state: 'error',
      error: { reason: 'release_failed', message: expect.stringContaining('worker was lost') },
    })
    expect((await linesOf(released)).filter((line) => line === 'begun')).toHaveLength(1)
    await deploy('web', saying('third'))
    await expectPage('web', 'third kept')
    await admin('check', '--deep')
  })

  it('count with their files in the storage of the team, and are none beyond it', { timeout }, async () => {
    const build_command = `head -c ${2 * storageBytes} /dev/zero > data`
    const { state, error } = await whenEnded(
      await begin('large', saying('large'), { build: { build_command } }),
    )
    expect({ state, reason: error?.reason }).toEqual({ state: 'error', reason: 'storage_quota' })
  })
})
