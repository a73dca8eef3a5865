/** The address of a deploy hook: what it takes and refuses, and that its secret stands for nothing else. */
import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { newHookSecret } from '../../../../src/platform/hooks/address.ts'
import { deploy } from '../../../platform/deployments/steps.ts'
import { newHook, newHooked, send } from '../../../platform/hooks/steps.ts'
import { apiOf } from '../../../support/api.ts'
import { sharedNode, type TestNode } from '../../../support/node.ts'

let node: TestNode
let site: Awaited<ReturnType<typeof newHooked>>
let hook: Awaited<ReturnType<typeof newHook>>

beforeAll(async () => {
  node = await sharedNode()
  site = await newHooked(node)
  await deploy(site.team, { target: 'production' })
  hook = await newHook(site)
})

const countOf = async () =>
  (await site.team.owner('GET', '/v1/deployments?project=web&limit=100')).body.data.length

describe('any method but POST is 405 and deploys nothing', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('%s', async (method) => {
    const before = await countOf()
    const { status, headers } = await fetch(hook.url, { method })
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
    expect(await countOf()).toBe(before)
  })
})

describe('an unknown secret gets the response of an unknown path', () => {
  const answerAt = async (path: string) => {
    const { status, headers, body } = await send(`${node.apiUrl}${path}`)
    const { request_id: _, message, ...rest } = body
    return { status, rest, message, headers: [...headers.keys()].toSorted() }
  }

  it.each([
    ['never made', newHookSecret()],
    ['mistyped', `${newHookSecret().slice(0, -1)}_`],
    ['of no kind', 'abc'],
  ])('%s', async (_, secret) => {
    const path = `/hooks/deploy/${secret}`
    const unknown = await answerAt('/hooks/anything/abc')
    const found = await answerAt(path)
    expect(found).toEqual({ ...unknown, message: expect.stringMatching(/^Unknown path \/hooks\/deploy\//) })
    expect(unknown).toMatchObject({ status: 404, rest: { reason: 'unknown_path' } })
    if (secret.length > 20) expect(found.message).not.toContain(secret.slice(10, 30))
  })
})

describe('a body', () => {
  it.each([
    ['JSON', 'application/json', '{"sys": {"type": "Entry"}}'],
    ['what is no JSON', 'application/json', '{'],
    ['a form', 'application/x-www-form-urlencoded', 'a=b'],
    ['anything', 'application/vnd.contentful.management.v1+json', '{}'],
  ])('may be %s, and means nothing', async (_, type, body) => {
    expect((await send(hook.url, { body, headers: { 'content-type': type } })).status).toBe(201)
  })

  it('that is too large is refused, unread where its length is known', async () => {
    const before = await countOf()
    const announced = await new Promise((resolve, reject) => {
      const sent = request(hook.url, { method: 'POST', headers: { 'content-length': 1024 * 1024 + 1 } })
      sent.on('response', ({ statusCode }) => {
        resolve(statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(announced).toBe(413)
    const body = new Blob([Buffer.alloc(1024 * 1024 + 1)]).stream()
    const streamed = await send(hook.url, { body, duplex: 'half' })
    expect(streamed).toMatchObject({ status: 413, body: { reason: 'body_too_large' } })
    expect(await countOf()).toBe(before)
  })
})

it('an Idempotency-Key is refused in words', async () => {
  const refused = await send(hook.url, { headers: { 'idempotency-key': 'a' } })
  expect(refused).toMatchObject({
    status: 400,
    body: { reason: 'invalid_input', issues: [{ path: 'Idempotency-Key' }] },
  })
})

it('the secret is no credential: 401 at the API, at git and at a protected site', async () => {
  const api = apiOf(node, hook.secret)
  for (const [method, path] of [
    ['GET', '/v1/projects'],
    ['POST', '/v1/token'],
    ['POST', '/v1/deployments'],
    ['GET', '/trpc/hooks.list'],
  ] as const)
    expect((await api(method, path)).status, path).toBe(401)
  const password = Buffer.from(`git:${hook.secret}`).toString('base64')
  const pushed = await fetch(
    `${node.apiUrl}/git/${site.team.slug}/web.git/info/refs?service=git-receive-pack`,
    {
      headers: { authorization: `Basic ${password}` },
    },
  )
  expect(pushed.status).toBe(401)
})

it('no log has the secret, neither of the request nor of the path', async () => {
  await send(hook.url)
  await fetch(`${node.apiUrl}/v1/${hook.secret}`)
  const spellings = [
    `%73${hook.secret.slice(1)}`,
    hook.secret.replace('_', '%5f'),
    hook.secret.replace('_', '%255F'),
  ]
  for (const spelling of spellings) {
    const { status } = await send(`${node.apiUrl}/hooks/deploy/${spelling}`)
    expect([201, 404, 409]).toContain(status)
  }
  const lines = node.logged.filter((line) => line.includes('/hooks/deploy/'))
  expect(lines.length).toBeGreaterThan(spellings.length)
  expect(node.logged.join('')).not.toContain(hook.secret.slice(5))
})

it('counts for the address, like a request without a credential', async () => {
  const { headers } = await send(hook.url)
  expect(headers.get('ratelimit-policy')).toContain('"anonymous"')
})
