/** Where requests are passed on to: public addresses alone, as they are at each connection. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOriginAgents } from '../../../../src/roles/edge/forward/origin-agents.ts'
import { sendRequest } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'

let edge: Edge
let site: TestSite
const lookedUp: string[] = []
const addresses = new Map<string, string[]>()
/** A listener that nobody is to reach. */
const inside = createServer((socket) => socket.destroy())
let connections = 0

beforeAll(async () => {
  inside.on('connection', () => {
    connections += 1
  })
  inside.listen(0)
  await once(inside, 'listening')
  const resolve = async (name: string) => {
    lookedUp.push(name)
    const found = addresses.get(name)
    if (!found) throw new Error('no address')
    return found
  }
  edge = await startEdge({ origins: createOriginAgents({ resolve, allowPrivate: false }) })
  site = await newSite(edge)
})

afterAll(async () => {
  inside.close()
  await edge.close()
})

async function statusOf(host: string, scheme = 'http') {
  const address = inside.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const { id } = await site.deploy({ _redirects: `/* ${scheme}://${host}:${port}/:splat 200` })
  await site.promote(id)
  const { status, text } = await sendRequest(edge.port, site.host, '/x')
  return { status, text }
}

const blocked = {
  status: 502,
  text: 'The server behind this path gave no answer. The host has no public address.\n',
}

it.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fd00::1]',
  '[fe80::1]',
])('never %s', async (host) => {
  expect(await statusOf(host)).toEqual(blocked)
  expect(await statusOf(host, 'https')).toEqual(blocked)
})

it('never a name that leads inside, also beside a public address', async () => {
  addresses.set('inside.example', ['127.0.0.1'])
  addresses.set('both.example', ['192.0.2.1', '::1'])
  expect(await statusOf('inside.example')).toEqual(blocked)
  expect(await statusOf('both.example')).toEqual(blocked)
})

it('a name is looked up again for each connection', async () => {
  lookedUp.length = 0
  addresses.set('rebinds.example', ['127.0.0.1'])
  expect(await statusOf('rebinds.example')).toEqual(blocked)
  expect(await statusOf('rebinds.example')).toEqual(blocked)
  expect(lookedUp).toEqual(['rebinds.example', 'rebinds.example'])
})

it('a name without an address is named as one', async () => {
  expect(await statusOf('nobody.example')).toEqual({
    status: 502,
    text: 'The server behind this path gave no answer. The host has no address.\n',
  })
})

it('and nothing of this has reached the listener', () => expect(connections).toBe(0))
