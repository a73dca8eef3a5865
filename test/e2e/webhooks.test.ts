/**
 * A process that delivers webhooks is killed: every acknowledged event is still delivered.
 * @module-tag long
 */
import { rm } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { startReceiver } from '../platform/webhooks/receiver.ts'
import { eventually } from '../support/eventually.ts'
import { newDataDirectory, startProgram } from '../support/program.ts'

const directories: string[] = []
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

/** A lease, a program's start, and a margin for a busy machine. */
const patienceMs = 120_000

it(
  'a delivery that was under way at kill -9 arrives again with the same id, the others once',
  async () => {
    const directory = await newDataDirectory()
    directories.push(directory)
    const environment = { SVC_DATA_DIR: directory, SVC_WEBHOOKS_ALLOW_PRIVATE: '1' }
    const receiver = await startReceiver()
    receiver.answer = () => {}
    const first = await startProgram(environment)
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${first.apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(response.status).toBe(200)
    }
    await call('POST', '/v1/webhooks', { url: receiver.url, events: ['project.created'] })
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await call('PUT', `/v1/projects/${name}`, {})
    // A webhook gets two deliveries at a time until it has responded once.
    await eventually(() => expect(receiver.received).toHaveLength(2), { limitMs: patienceMs })
    await first.end('SIGKILL')
    receiver.answer = 200
    const second = await startProgram(environment)
    await eventually(() => expect(receiver.received).toHaveLength(names.length + 1 + 2), {
      limitMs: patienceMs,
    })
    await second.end('SIGTERM')
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    const interrupted = ids.slice(0, 2)
    expect(new Set(ids).size).toBe(names.length + 1)
    for (const id of interrupted) expect(ids.filter((each) => each === id)).toHaveLength(2)
    await receiver.close()
  },
  3 * patienceMs,
)
