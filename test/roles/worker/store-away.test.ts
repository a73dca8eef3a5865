/**
 * A worker whose database is away goes on where it was once that is back.
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../api/server/tcp-proxy.ts'
import { type Receiver, startReceiver } from '../../platform/webhooks/receiver.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

/** In milliseconds. */
const recoveryMs = 5_000

describe.runIf(process.env.TEST_ON)('a worker', () => {
  let receiver: Receiver
  let node: TestNode
  let proxy: TcpProxy
  let worker: TestNode
  let team: TestTeam

  beforeAll(async () => {
    receiver = await startReceiver()
    const open = { SVC_WEBHOOKS_ALLOW_PRIVATE: '1' }
    node = await startOwnNode(open)
    const url = new URL(String(node.settings.DATABASE_URL))
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432))
    url.host = `127.0.0.1:${proxy.port}`
    worker = await startTestNode({ ...open, SVC_ROLES: 'worker', DATABASE_URL: url.href })
    team = await newTeam(node)
    await team.owner('POST', '/v1/webhooks', { url: receiver.url, events: ['project.created'] })
  })

  afterAll(async () => {
    await worker.stop()
    await node.stop()
    await proxy.cut()
    await receiver.close()
  })

  const delivered = (name: string) => receiver.received.some(({ body }) => body.includes(name))
  const readiness = async () => (await fetch(`http://127.0.0.1:${worker.internalPort}/readyz`)).status

  it.each([
    ['refuses connections', () => proxy.cut()],
    ['does not respond', async () => proxy.hang()],
  ])('delivers within 5 s what happened while the database %s', async (_, lose) => {
    const [before, meanwhile] = [unique('before'), unique('meanwhile')]
    await team.owner('PUT', `/v1/projects/${before}`)
    await expect.poll(() => delivered(before), { timeout: 10_000 }).toBe(true)
    await lose()
    await expect.poll(readiness, { timeout: 10_000 }).toBe(503)
    expect((await fetch(`http://127.0.0.1:${worker.internalPort}/healthz`)).status).toBe(200)
    await team.owner('PUT', `/v1/projects/${meanwhile}`)
    expect(delivered(meanwhile)).toBe(false)
    proxy.resume()
    await proxy.restore()
    await expect.poll(() => delivered(meanwhile), { timeout: recoveryMs }).toBe(true)
    await expect.poll(readiness, { timeout: recoveryMs }).toBe(200)
  })
})
