/** `svc webhooks`. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { eventTypes } from '../../src/lib/names/event-types.ts'
import { startOwnNode } from '../stores/db/own-node.ts'
import type { TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode
let receiver: Server
let url: string
let received = 0

beforeAll(async () => {
  node = await startOwnNode({ SVC_ROLES: 'api,worker', SVC_WEBHOOKS_ALLOW_PRIVATE: '1' })
  receiver = createServer((request, response) => {
    received += 1
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = z.object({ port: z.number() }).parse(receiver.address())
  url = `http://127.0.0.1:${port}/hooks`
})

afterAll(async () => {
  receiver.close().closeAllConnections()
  await node.stop()
})

it('adds a webhook, prints its secret alone, shows deliveries, repeats one, and removes it', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const svc = await svcWith(node, team.ownerKey)
  const added = await svc([
    ...['webhooks', 'add', url, '--events', 'deployment.ready, deployment.error', '--project', 'web'],
  ])
  const id = /hook_[0-9a-f]+/.exec(added.stderr)?.[0] ?? ''
  expect(added).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^whsec_\S+\n$/),
    stderr: `Added ${id}. Its secret is printed only once: store it safely.\n`,
  })
  await expect.poll(() => received, { timeout: 20_000 }).toBe(1)
  const delivery = () => svc(['webhooks', 'show', id])
  await expect
    .poll(async () => (await delivery()).stdout, { timeout: 20_000 })
    .toContain('\tdelivered\t204\t1\t')
  const { stdout } = await delivery()
  expect(stdout).toMatch(/events\tdeployment\.ready,deployment\.error\nprojects\tweb\nstate\tenabled\n/)
  const [again = ''] = /dlv_[0-9a-f]+/.exec(stdout) ?? []
  expect(await svc(['webhooks', 'redeliver', id, again])).toMatchObject({ code: 0, stderr: '' })
  await expect.poll(() => received, { timeout: 20_000 }).toBe(2)
  const listed = await svc(['webhooks'])
  expect(listed.stdout).toMatch(
    new RegExp(`^${id}\t${url}\tdeployment\\.ready,deployment\\.error\tenabled\t\\d+s ago\tstandard\n$`),
  )
  expect(await svc(['webhooks', 'rm', id])).toMatchObject({ code: 2, stdout: '' })
  expect(await svc(['webhooks', 'rm', id, '--yes'])).toMatchObject({
    code: 0,
    stdout: `Deleted the webhook to ${url}.\n`,
  })
  expect(await svc(['webhooks', 'show', id])).toMatchObject({ code: 4 })
})

it('adds one for a service, whose address is printed nowhere', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const added = await svc(['webhooks', 'add', `${url}/T0/secret`, '--format', 'slack'])
  expect(added).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Added hook_/) })
  const [id = ''] = /hook_[0-9a-f]+/.exec(added.stdout) ?? []
  const outputs = [await svc(['webhooks']), await svc(['webhooks', 'show', id])]
  for (const { stdout } of outputs) {
    expect(stdout).toContain(`${new URL(url).origin}/…`)
    expect(stdout).toContain('slack')
    expect(stdout).toContain('deployment.error')
    expect(stdout).not.toMatch(/secret|key\.created/)
  }
})

it('gets all events if none are named', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { stdout } = await svc(['webhooks', 'add', url, '--json'])
  expect(JSON.parse(stdout).events.toSorted()).toEqual([...eventTypes].toSorted())
  expect((await svc(['webhooks'])).stdout).toContain(`\t${url}\tall\tenabled\t`)
})

it.each([
  [['add', 'https://example.com', '--events', 'deployment.done'], 2, 'There is no event deployment.done'],
  [['add', 'ftp://example.com'], 2, 'url: '],
  [['add'], 2, 'url: is required'],
  [['add', '--format', 'mail'], 2, 'SVC_SMTP_URL'],
  [['add', 'https://example.com', '--format', 'teams'], 2, 'Allowed choices'],
  [['show', 'hook_1'], 4, 'webhook'],
  [['redeliver', 'hook_1', 'dlv_1'], 4, ''],
])('webhooks %j ends with %i', async (args, code, message) => {
  const team = await newTeam(node)
  const outcome = await (await svcWith(node, team.ownerKey))(['webhooks', ...args])
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toContain(message)
})
