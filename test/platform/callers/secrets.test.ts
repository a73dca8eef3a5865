/** A copy of the database, of the log or of an error contains no usable credential. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { apiOf } from '../../support/api.ts'
import { dumpTables } from '../../support/dump.ts'
import { mint } from '../../support/enforcing-node.ts'
import type { TestNode } from '../../support/node.ts'
import { newLink, newPerson, password, signIn } from '../../support/person.ts'
import { newTeam } from '../../support/team.ts'

const jwtSecret = randomBytes(32).toString('base64')

let node: TestNode
/** Each by its kind. */
let secrets: Map<string, string>
/** The text of every refusal. */
const refusals: string[] = []
/** The team's own log, as its clients read it. */
let teamLog = ''

beforeAll(async () => {
  node = await startOwnNode({ SVC_JWT_SECRET: jwtSecret })
  secrets = await useEverySecret()
})

afterAll(() => node.stop())

/** Uses every kind of secret, in successful and in refused calls. */
async function useEverySecret(): Promise<Map<string, string>> {
  const team = await newTeam(node)
  const { token: jwt, api } = await mint(node, team.ownerKey)
  const headers = { 'idempotency-key': randomUUID() }
  const { body: key } = await api('POST', '/v1/apikeys', { name: 'ci' }, headers)
  const { token: keyJwt, api: member } = await mint(node, key.token)
  const [envValue, bypassSecret] = ['an-env-value', 'a-bypass-secret'].map(
    (name) => `${name}-${randomBytes(16).toString('hex')}`,
  )
  const settings = { env: [{ key: 'API_KEY', value: envValue }], bypass_secret: bypassSecret }
  expect((await api('PUT', '/v1/projects/site', settings)).status).toBe(200)

  const { body: hook } = await api('POST', '/trpc/hooks.create', { project: 'site', name: 'cms' })
  const hookUrl = new URL(hook.result.data.url)
  // No JWT is needed there: only nothing is live.
  expect((await apiOf(node)('POST', hookUrl.pathname)).status).toBe(409)
  await apiOf(node)('POST', `/v1${hookUrl.pathname}`)

  const person = await newPerson(node)
  const { browser } = await signIn(node, person)
  const cookie = browser.cookies('localhost').get('svc.session_token') ?? ''
  const [session = ''] = decodeURIComponent(cookie).split('.')
  const { token: sessionJwt } = await mint(node, session)
  const { token: link } = await newLink(node, person.email)
  await fetch(`${node.apiUrl}/auth/link?token=${link}`)

  const refused = await Promise.all([
    apiOf(node, team.ownerKey)('POST', '/v1/apikeys', { name: 'no JWT' }),
    member('POST', '/v1/apikeys', { name: 'too much', role: 'owner' }),
    member('PUT', '/v1/projects/site', settings),
    api('PUT', '/v1/projects/site', {
      env: [{ key: 'API KEY', value: envValue }],
      bypass_secret: bypassSecret,
    }),
    apiOf(node, `${jwt}x`)('GET', '/v1/projects'),
    apiOf(node, `${key.token}x`)('GET', '/v1/projects'),
    apiOf(node)('GET', '/v1/projects', undefined, { cookie: `svc.session_token=x${cookie}` }),
    person.call('POST', '/sign-in/email', { email: `no-${person.email}`, password }),
  ])
  for (const { status, body } of refused) {
    expect(status).toBeGreaterThanOrEqual(400)
    refusals.push(JSON.stringify(body))
  }
  teamLog = JSON.stringify((await api('GET', '/v1/logs?limit=100')).body.data)
  for (const type of ['key.created', 'project.created']) expect(teamLog).toContain(type)
  return new Map([
    ["the team's key", team.ownerKey],
    ['a key created with an Idempotency-Key', key.token],
    ['a JWT', jwt],
    ["a key's JWT", keyJwt],
    ["a session's token", session],
    ["a session's JWT", sessionJwt],
    ["a link's token", link],
    ['a password', password],
    ["a deploy hook's secret", hookUrl.pathname.split('/').at(-1) ?? ''],
    ['an env value', String(envValue)],
    ['a bypass secret', String(bypassSecret)],
    ['the JWT secret', jwtSecret],
    ['the encryption key', String(node.settings.SVC_ENCRYPTION_KEY)],
  ])
}

it.each<[string, () => Promise<string>]>([
  ['the database', async () => JSON.stringify(await dumpTables(node))],
  ['the log', async () => node.logged.join('')],
  ['the refusals', async () => refusals.join('')],
  ["the team's log", async () => teamLog],
])('%s contains no secret in plain text', async (_, read) => {
  const text = await read()
  expect(text.length).toBeGreaterThan(500)
  const found = [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)
  expect(found).toEqual([])
})
