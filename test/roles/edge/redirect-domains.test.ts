/** Redirect domains, over real sockets. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '../../support/claims.ts'
import { exchange, sendRequest } from './client.ts'
import { type Edge, newSite, startEdge } from './edge.ts'

let edge: Edge
let secure: Edge
let teamId: string

beforeAll(async () => {
  edge = await startEdge()
  secure = await startEdge({ sitesUrl: 'https://svc.site' })
  teamId = (await newSite(edge)).teamId
})

afterAll(() => Promise.all([edge.close(), secure.close()]))

/** A verified domain that redirects to example.com. */
async function leading(status = 308): Promise<string> {
  const name = `old-${randomBytes(4).toString('hex')}.com`
  const node = { clock: edge.clock, installation: { store: edge.store } }
  await claim(node, { id: teamId }, name, { proven: true, redirect: { to: 'example.com', status } })
  return name
}

describe('a redirect', () => {
  it.each([301, 302, 307, 308])('%i with the unchanged path and query, without a project', async (status) => {
    const name = await leading(status)
    const reply = await sendRequest(edge.port, name, '/a/b%20c?x=1&y=%20&x=2')
    expect(reply).toMatchObject({
      status,
      text: '',
      headers: {
        location: 'http://example.com:8080/a/b%20c?x=1&y=%20&x=2',
        'cache-control': 'public, max-age=0, must-revalidate',
      },
    })
  })

  it('has the scheme and the port of the sites', async () => {
    const { headers } = await sendRequest(secure.port, await leading(), '/?a')
    expect(headers.location).toBe('https://example.com/?a')
  })

  it.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])(
    'is sent for %s as well',
    async (method) => {
      expect(await sendRequest(edge.port, await leading(), '/x', {}, method)).toMatchObject({
        status: 308,
        headers: { location: 'http://example.com:8080/x' },
      })
    },
  )

  it('does not read the body of the request', async () => {
    const fields = 'Expect: 100-continue\r\nContent-Length: 1000000\r\nConnection: close'
    const request = `PUT / HTTP/1.1\r\nHost: ${await leading()}\r\n${fields}\r\n\r\n`
    const reply = await exchange(edge.port, request)
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 308'])
  })

  it('never contains a secret', async () => {
    const { headers } = await sendRequest(
      edge.port,
      await leading(),
      '/?a=1&x-svc-bypass=secret&x%2dsvc-bypass=secret&b',
    )
    expect(headers.location).toBe('http://example.com:8080/?a=1&b')
  })
})

describe('stays on the configured host, whatever the path is', () => {
  it.each([
    ['//evil.com', '/evil.com'],
    ['//evil.com/..;/x', '/evil.com/..;/x'],
    ['///evil.com', '/evil.com'],
    ['/%2fevil.com', '/%2Fevil.com'],
    ['/%2f%2fevil.com', '/%2F%2Fevil.com'],
    ['/@evil.com', '/@evil.com'],
    ['/.evil.com', '/.evil.com'],
    ['/:80@evil.com', '/:80@evil.com'],
    ['/%3f%23x', '/%3F%23x'],
    ['/?//evil.com', '/?//evil.com'],
    ['/?\\evil.com', '/?\\evil.com'],
  ])('%s', async (path, location) => {
    const { status, headers } = await sendRequest(edge.port, await leading(), path)
    expect({ status, location: headers.location }).toEqual({
      status: 308,
      location: `http://example.com:8080${location}`,
    })
    expect(new URL(headers.location ?? '').host).toBe('example.com:8080')
  })

  it.each([
    '/\\evil.com',
    '/%5cevil.com',
    '/%0d%0aX: y',
    '/%00',
    '/../x',
    '/%2e%2e/x',
    '/%zz',
    'ftp://evil.com/',
    'http://user@evil.com/',
  ])('400 for %s', async (path) => {
    const name = await leading()
    for (const method of ['GET', 'POST']) {
      const reply = await exchange(edge.port, `${method} ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
      expect(reply).toMatch(/^HTTP\/1\.1 400 /)
      expect(reply).not.toMatch(/location|evil/i)
    }
  })
})

it('405, not a redirect, for a method that no file supports, also on an unknown host', async () => {
  const { status, headers } = await sendRequest(edge.port, 'nobody.example.com', '/', {}, 'POST')
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD' })
})
