/** The door of protected sites at the edge: what no site has, and what costs no query. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealVisit } from '../../../../src/roles/edge/visitors/visit-cookie.ts'
import { sendRequest } from '../client.ts'
import { type Edge, newSite, startEdge, type TestSite } from '../edge.ts'

let edge: Edge
let site: TestSite
const cookieKey = randomBytes(32)
let isAway = false

const files = {
  'index.html': 'inside',
  '.well-known/svc/enter': 'planted',
  '.well-known/svc/x': 'planted',
  '.well-known/svc.html': 'planted',
  '.well-known/svc/index.html': 'planted',
  '.WELL-KNOWN/svc/x': 'planted',
  '.well-known/other': 'other',
  _redirects: '/.well-known/svc/led /x 301!\n/.well-known/svc/* /index.html 200\n/* /index.html 200',
  _headers: '/*\n  X-Own: yes',
}

beforeAll(async () => {
  edge = await startEdge()
  const { store } = edge
  await edge.close()
  const db = new Proxy(store.db, {
    get(target, name) {
      if (isAway) throw new Error('There must be no query.')
      return Reflect.get(target, name)
    },
  })
  edge = await startEdge({ store, db, cookieKey })
  site = await newSite(edge)
  await site.promote((await site.deploy(files)).id)
})

afterAll(() => edge.close())

const get = (path: string, headers = {}, method = 'GET') =>
  sendRequest(edge.port, site.host, path, headers, method)

const spellings = [
  '/.well-known/svc',
  '/.well-known/svc/',
  '/.well-known/svc/x',
  '/.well-known/svc/led',
  '/.well-known/svc/enter?code=x',
  '/%2Ewell-known%2Fsvc/x',
  '//.well-known/svc/x',
  '/.WELL-KNOWN/svc/x',
  '/.well-known/svc;a/x',
]

describe.each(['none', 'all'] as const)('of a site with protection %s', (protection) => {
  beforeAll(() => site.configure({ protection }))

  it.each(spellings)('nothing of the site is at %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT']) {
      const { status, text, headers } = await get(path, {}, method)
      expect(text).not.toContain('planted')
      expect(text).not.toContain('inside')
      expect(headers['x-own']).toBeUndefined()
      expect([401, 404]).toContain(status)
    }
  })
})

it('other well-known files are the site’s', async () => {
  await site.configure({ protection: 'none' })
  expect((await get('/.well-known/other')).text).toBe('other')
})

it('a request with a visit’s cookie needs no query', async () => {
  await site.configure({ protection: 'all' })
  const label = site.host.replace('.localhost', '')
  const place = { projectId: site.projectId, host: label }
  const entry = { subject: 'password', visitVersion: 0, accessVersion: 0, expiryMs: Date.now() + 60_000 }
  const seal = { key: cookieKey, isSecure: false, nowMs: Date.now() }
  const cookie = sealVisit(seal, place, entry).split(';')[0]
  expect((await get('/', { cookie })).text).toBe('inside')
  isAway = true
  try {
    for (let more = 0; more < 20; more += 1) expect((await get('/', { cookie })).text).toBe('inside')
    expect((await get('/.well-known/svc/enter?code=unknown')).status).toBe(500)
  } finally {
    isAway = false
  }
  await site.configure({ accessVersion: 1 })
  expect((await get('/', { cookie })).status).toBe(401)
})

it('the page leads to signing in only where the address of the API is known', async () => {
  await site.configure({ protection: 'all' })
  const browser = { accept: 'text/html' }
  expect((await get('/', browser)).text).toContain('href="http://localhost:3000/auth/')
  const alone = await startEdge({ store: edge.store, apiUrl: undefined })
  const { status, text } = await sendRequest(alone.port, site.host, '/', browser)
  await alone.close()
  expect({ status, links: text.match(/href=|https?:/g) }).toEqual({ status: 401, links: null })
  expect(text).toContain('its operator sets <code>SVC_URL</code>')
})
