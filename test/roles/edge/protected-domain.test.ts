/** Access to a protected project by its custom domain, over real sockets. */
import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { claim } from '../../support/claims.ts'
import { sendRequest } from './client.ts'
import { type Edge, newSite, startEdge, type TestSite } from './edge.ts'

let edge: Edge
let site: TestSite
const secret = 'secret-of-at-least-32-characters!'
const domain = `shop-${randomBytes(4).toString('hex')}.com`
const other = `www.${domain}`

beforeAll(async () => {
  edge = await startEdge()
  site = await newSite(edge)
  await site.promote((await site.deploy({ 'index.html': 'inside' })).id)
  const node = { clock: edge.clock, installation: { store: edge.store } }
  await claim(node, { id: site.teamId }, domain, { proven: true, project: site.projectId })
  await claim(node, { id: site.teamId }, other, { project: site.projectId })
})

beforeEach(() =>
  site.configure({ protection: 'all', bypassSha256: hash('sha256', secret), bypassVersion: 1 }),
)

afterAll(() => edge.close())

const get = (host: string, path = '/', headers = {}) => sendRequest(edge.port, host, path, headers)

it('401 if the whole project is protected', async () => {
  expect(await get(domain)).toMatchObject({
    status: 401,
    headers: { 'cache-control': 'private, no-store', 'www-authenticate': 'Bearer' },
  })
})

it('open if previews are protected: a domain is production', async () => {
  await site.configure({ protection: 'preview' })
  expect(await get(domain)).toMatchObject({
    status: 200,
    text: 'inside',
    headers: { 'cache-control': 'public, max-age=0, must-revalidate' },
  })
})

it('opens for the secret in the header', async () => {
  expect(await get(domain, '/', { 'x-svc-bypass': secret })).toMatchObject({
    status: 200,
    text: 'inside',
    headers: { 'cache-control': 'private, no-store' },
  })
  expect((await get(domain, '/', { 'x-svc-bypass': 'wrong' })).status).toBe(401)
})

it('opens for the secret in the query, for this host only, however it is spelled', async () => {
  const { status, headers } = await get(domain.toUpperCase(), `/?a=1&x-svc-bypass=${secret}`)
  expect({ status, location: headers.location }).toEqual({ status: 303, location: '/?a=1' })
  const cookie = headers['set-cookie']?.[0]?.split(';')[0]
  const statuses = await Promise.all(
    [domain, `${domain}.:443`, other, site.host].map(
      async (host) => (await get(host, '/', { cookie })).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 401, 401])
})
