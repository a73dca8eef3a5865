/** Whose cookies and credentials a server behind a rule gets, and who is let through to it. */
import { hash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOriginAgents } from '../../../../src/roles/edge/forward/origin-agents.ts'
import { claim } from '../../../support/claims.ts'
import { sendRequest } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'
import { type Origin, startOrigin } from './origin.ts'

let edge: Edge
let origin: Origin
const seen: IncomingMessage[] = []

beforeAll(async () => {
  // Whatever its name, each server is this one.
  const origins = createOriginAgents({ resolve: async () => ['127.0.0.1'], allowPrivate: true })
  edge = await startEdge({ origins })
  origin = await startOrigin((req, res) => {
    seen.push(req)
    res.writeHead(200, { 'cache-control': 'public, max-age=60' }).end('from the server')
  })
})

afterAll(async () => {
  await origin.close()
  await edge.close()
})

const credentials = { cookie: 'a=b; svc_visit=1', authorization: 'Bearer mine' }

/** A site that passes everything on to `server`. */
async function siteTo(server: string): Promise<TestSite> {
  const site = await newSite(edge)
  const { id } = await site.deploy({
    'index.html': 'home',
    _redirects: `/* http://${server}:${new URL(origin.url).port}/:splat 200`,
  })
  await site.promote(id)
  return site
}

async function passedTo(site: TestSite, headers: Record<string, string> = credentials) {
  const reply = await sendRequest(edge.port, site.host, '/x', headers)
  expect(reply.text).toBe('from the server')
  const { cookie, authorization } = seen.at(-1)?.headers ?? {}
  return { cookie, authorization }
}

const nobody = { cookie: undefined, authorization: undefined }

describe('cookies and credentials', () => {
  it('are for a verified domain of the same project', async () => {
    const server = `api-${randomBytes(4).toString('hex')}.com`
    const site = await siteTo(server)
    expect(await passedTo(site)).toEqual(nobody)
    const node = { clock: edge.clock, installation: { store: edge.store } }
    await claim(node, { id: site.teamId }, server, { proven: true, project: site.projectId })
    await expect.poll(() => passedTo(site)).toEqual({ cookie: 'a=b', authorization: 'Bearer mine' })
    const other = await siteTo(server)
    expect(await passedTo(other)).toEqual(nobody)
  })

  it('not for one that is only claimed, nor for another site of the platform', async () => {
    const server = `api-${randomBytes(4).toString('hex')}.com`
    const site = await siteTo(server)
    const node = { clock: edge.clock, installation: { store: edge.store } }
    await claim(node, { id: site.teamId }, server, { project: site.projectId })
    expect(await passedTo(site)).toEqual(nobody)
    expect(await passedTo(await siteTo(site.host))).toEqual(nobody)
  })
})

describe('a protected site', () => {
  const secret = 'secret-of-at-least-32-characters!'
  let site: TestSite

  beforeAll(async () => {
    site = await siteTo('server.example')
    await site.configure({ protection: 'all', bypassSha256: hash('sha256', secret), bypassVersion: 1 })
  })

  it.each(['GET', 'POST', 'PUT'])('passes no %s on of whoever is not let in', async (method) => {
    seen.length = 0
    expect((await sendRequest(edge.port, site.host, '/x', {}, method)).status).toBe(401)
    expect(seen).toEqual([])
  })

  it('nor a preflight, which has no credentials', async () => {
    expect((await sendRequest(edge.port, site.host, '/x', {}, 'OPTIONS')).status).toBe(405)
    expect(seen).toEqual([])
  })

  it.each(['GET', 'POST', 'OPTIONS'])('passes a %s on of whoever is, without the secret', async (method) => {
    const headers = { 'x-svc-bypass': secret, authorization: 'Bearer mine' }
    const reply = await sendRequest(edge.port, site.host, '/x', headers, method)
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-cache' } })
    expect(seen.at(-1)?.headers['x-svc-bypass']).toBeUndefined()
    expect(seen.at(-1)?.headers.authorization).toBeUndefined()
  })
})

it('a site that leads to itself ends with 508', async () => {
  const site = await newSite(edge)
  const { id } = await site.deploy({ _redirects: `/* http://${site.host}:${edge.port}/:splat 200` })
  await site.promote(id)
  expect(await sendRequest(edge.port, site.host, '/x')).toMatchObject({
    status: 508,
    text: 'This request goes round in a loop: it has been passed on too often.\n',
  })
})

it('previews stay out of search engines', async () => {
  const site = await newSite(edge)
  const { host } = await site.deploy({ _redirects: `/* ${origin.url}/:splat 200` })
  expect((await sendRequest(edge.port, host, '/x')).headers['x-robots-tag']).toBe('noindex')
})
