import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'

let node: TestNode
let open: TestNode[] = []

/** A node that trusts these proxies. */
async function nodeBehind(proxies: string): Promise<TestNode> {
  const started = await startTestNode({ SVC_TRUSTED_PROXIES: proxies })
  open.push(started)
  return started
}

beforeAll(async () => {
  node = await nodeBehind('loopback, 10.0.0.0/8, 192.0.2.7')
})

afterAll(async () => {
  for (const each of open) await each.stop()
  open = []
})

/** The address that `to` logs for a request with these headers. */
async function addressOf(to: TestNode, headers: Record<string, string>): Promise<string> {
  const id = unique('request')
  await fetch(`${to.apiUrl}/healthz`, { headers: { ...headers, 'x-request-id': id } })
  const line = () => to.logged.map((each) => JSON.parse(each)).find((each) => each.request_id === id)
  await expect.poll(line).toBeDefined()
  return line().address
}

describe('behind a trusted proxy the client is', () => {
  it.each([
    ['the address that the proxy names', '203.0.113.7', '203.0.113.7'],
    [
      'the address that the first trusted proxy of several names',
      '203.0.113.7, 10.1.2.3, 192.0.2.7',
      '203.0.113.7',
    ],
    ['never the address that the client itself names', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
    ['the proxy, where it names no address', '203.0.113.7, unknown', '127.0.0.1'],
    ['an IPv4 address, also when it is written as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s', async (_name, forwarded, address) => {
    expect(await addressOf(node, { 'x-forwarded-for': forwarded })).toBe(address)
  })

  it('the proxy, when it names nobody', async () => {
    expect(await addressOf(node, {})).toBe('127.0.0.1')
    expect(await addressOf(node, { 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' })).toBe(
      '127.0.0.1',
    )
  })
})

it('browsers that reach the proxy over TLS get Strict-Transport-Security', async () => {
  const send = (proto: string) => fetch(`${node.apiUrl}/healthz`, { headers: { 'x-forwarded-proto': proto } })
  expect((await send('https')).headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await send('http')).headers.has('strict-transport-security')).toBe(false)
})

it('links use the configured URL', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const response = await fetch(`${node.apiUrl}/openapi.json`, { headers })
  expect(await response.json()).toMatchObject({ servers: [{ url: node.apiUrl }] })
})

it('a proxy that is not configured is not trusted', async () => {
  const other = await nodeBehind('10.0.0.0/8')
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
  expect(await addressOf(other, headers)).toBe('127.0.0.1')
  const response = await fetch(`${other.apiUrl}/healthz`, { headers })
  expect(response.headers.has('strict-transport-security')).toBe(false)
})
