/**
 * Processes that share a Redis, and one that loses the connection for a while.
 * @module-tag long
 */
import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../api/server/tcp-proxy.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const redis = inject('redis')
const burst = 30

/** A GET from `localAddress` without a credential; its status. */
function statusOf(program: Program, localAddress: string, path = '/v1/projects'): Promise<number> {
  const { port } = new URL(program.apiUrl)
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, localAddress, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

/** A local address that no other test uses. */
const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

describe.runIf(redis)('two processes that share a Redis', () => {
  let proxy: TcpProxy
  let programs: Program[]
  let directories: string[]

  beforeEach(async () => {
    const url = new URL(redis ?? '')
    proxy = await startTcpProxy(url.hostname, Number(url.port || 6379))
    url.host = `127.0.0.1:${proxy.port}`
    const environment = { SVC_RATE_ANONYMOUS: `1/${burst}`, REDIS_URL: url.href }
    directories = await Promise.all([newDataDirectory(), newDataDirectory()])
    programs = await Promise.all(
      directories.map((directory) => startProgram({ ...environment, SVC_DATA_DIR: directory })),
    )
  })

  afterEach(async () => {
    await Promise.all(programs.map((program) => program.end('SIGTERM')))
    await proxy.cut()
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
  })

  /**
   * The number of requests that passed when each process received more than a burst at once, and the seconds
   * (rounded up) that they took.
   */
  async function exhaust(): Promise<{ passed: number; seconds: number; statuses: Set<number> }> {
    const address = newAddress()
    const startMs = performance.now()
    const statuses = await Promise.all(
      programs.flatMap((program) => Array.from({ length: burst + 10 }, () => statusOf(program, address))),
    )
    const seconds = Math.ceil((performance.now() - startMs) / 1_000)
    return {
      passed: statuses.filter((status) => status === 401).length,
      seconds,
      statuses: new Set(statuses),
    }
  }

  const limitsOf = async ({ apiUrl }: Program) => {
    const response = await fetch(new URL('/readyz', apiUrl))
    const { limits }: { limits?: string } = Object(await response.json())
    return `${response.status} ${limits}`
  }

  it('allow one burst together, one each while Redis hangs, and one together afterwards', async () => {
    const together = await exhaust()
    expect(together.passed).toBeGreaterThanOrEqual(burst)
    expect(together.passed).toBeLessThan(burst + together.seconds)

    proxy.hang()
    onTestFinished(proxy.resume)
    const apart = await exhaust()
    expect(apart.statuses).toEqual(new Set([401, 429]))
    expect(apart.passed).toBeGreaterThanOrEqual(2 * burst)
    expect(apart.passed).toBeLessThan(2 * (burst + apart.seconds))
    expect(await Promise.all(programs.map(limitsOf))).toEqual(['200 degraded', '200 degraded'])

    proxy.resume()
    await expect
      .poll(() => Promise.all(programs.map(limitsOf)), { timeout: 10_000 })
      .toEqual(['200 redis', '200 redis'])
    const again = await exhaust()
    expect(again.passed).toBeGreaterThanOrEqual(burst)
    expect(again.passed).toBeLessThan(burst + again.seconds)
    for (const { stderr } of programs) expect(stderr().match(/limits are per node/g)).toHaveLength(1)
  })
})
