/** A credential must still be valid when it is used: a request that ends after its credential is refused. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { users } from '../../../src/stores/db/schema/teams.ts'
import { byDigest } from '../../platform/deployments/steps.ts'
import type { Api } from '../../support/api.ts'
import { createCleanUps } from '../../support/clean-ups.ts'
import { dumpTables } from '../../support/dump.ts'
import { jwtSecret, mint } from '../../support/enforcing-node.ts'
import { unique } from '../../support/node.ts'
import { newLink, newPerson, password, signIn } from '../../support/person.ts'
import { joinNewTeam, newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { startTlsNode, type TlsNode } from '../../support/tls.ts'
import { type Begin, type HalfAnswer, type HalfSent, onHttp1, onHttp2 } from './half-sent.ts'
import { openSession } from './http2-client.ts'

let plain: TlsNode
let enforcing: TlsNode

const cleanUps = createCleanUps()

beforeAll(async () => {
  const server = process.env.TEST_ON
  // All of it is read repeatedly: on the shared database, that would include the rows of all tests.
  const database = server === undefined ? undefined : { DATABASE_URL: await cleanUps.newDatabase(server) }
  plain = await startTlsNode({ ...database })
  cleanUps.add(() => plain.stop())
  enforcing = await startTlsNode({ ...database, SVC_JWT_SECRET: jwtSecret, SVC_ROLES: 'api,edge' })
  cleanUps.add(() => enforcing.stop())
})

/** Another user's owner access, which the team's first owner takes away. */
type Caller = {
  node: TlsNode
  team: TestTeam
  userId: string
  email: string
  /** A call of the team's first owner that takes effect on this node. */
  owner: Api
  headers: Record<string, string>
  /** Ends the key or the session. */
  end: () => Promise<unknown>
}

async function newCaller(node: TlsNode) {
  const team = await newTeam(node)
  const { userId, api, key } = await addMember(node, team, 'owner')
  const email = `${unique('ada')}@example.com`
  await node.installation.store.db.update(users).set({ email }).where(eq(users.id, userId))
  const owner = node === enforcing ? (await mint(node, team.ownerKey)).api : team.owner
  const { body } = await api('GET', '/v1/apikeys')
  const { id } = body.data.find(({ name }: { name: string }) => name === 'member')
  return { node, team, userId, email, key, owner, end: () => owner('DELETE', `/v1/apikeys/${id}`) }
}

const callers: Record<string, () => Promise<Caller>> = {
  'an API key': async () => {
    const caller = await newCaller(plain)
    return { ...caller, headers: { authorization: `Bearer ${caller.key}` } }
  },
  'a JWT of a key': async () => {
    const caller = await newCaller(enforcing)
    const { token } = await mint(enforcing, caller.key)
    return { ...caller, headers: { authorization: `Bearer ${token}` } }
  },
  'a session': async () => {
    const caller = await newCaller(plain)
    // A user in no team is unauthenticated here.
    await joinNewTeam(plain, caller.userId, { personal: true })
    const { token, end } = await newSession(plain, caller.userId)
    return { ...caller, end, headers: { authorization: `Bearer ${token}`, 'x-svc-team': caller.team.slug } }
  },
}

/** Calls for owners only, and then calls for members, too. */
function requestsOf({ team, headers }: Caller, marker: string): { ofOwners: HalfSent[]; ofAll: HalfSent[] } {
  const json = { 'content-type': 'application/json', ...headers }
  const call = (method: string, path: string, body: unknown): HalfSent => {
    return { method, path, headers: json, body: JSON.stringify(body) }
  }
  const ownerKey = { name: marker, role: 'owner' }
  const hook = { url: `https://${marker}.example.com/`, events: ['project.created'] }
  return {
    ofOwners: [
      call('POST', '/v1/apikeys', ownerKey),
      call('POST', '/v1/webhooks', hook),
      call('PUT', `/v1/teams/${team.slug}`, { name: marker }),
      call('POST', '/trpc/tokens.createKey', ownerKey),
      call('POST', '/trpc/tokens.createKey,webhooks.create?batch=1', { 0: ownerKey, 1: hook }),
    ],
    ofAll: [
      call('POST', '/v1/apikeys', { name: marker }),
      call('PUT', `/v1/projects/${marker}`, {}),
      call('PUT', `/v1/domains/${marker}.com`, {}),
      call('POST', '/trpc/projects.put', { project: marker }),
      call('POST', '/trpc/projects.put,dns.create?batch=1', { 0: { project: marker }, 1: {} }),
    ],
  }
}

type Ending = { status: (isSession: boolean) => number; end: (caller: Caller) => Promise<unknown> }

const self = { email: null, role: 'owner' }
const gone = (isSession: boolean) => (isSession ? 404 : 401)
const put = ({ team, owner }: Caller, members: unknown[]) =>
  owner('PUT', `/v1/teams/${team.slug}`, { members })

const endings: Record<string, Ending> = {
  'it is revoked': { status: () => 401, end: ({ end }) => end() },
  'its user is removed': { status: gone, end: (caller) => put(caller, [self]) },
  'its user is demoted': {
    status: () => 403,
    end: (caller) => put(caller, [self, { email: caller.email, role: 'member' }]),
  },
  'the team is deleted': {
    status: gone,
    end: ({ team, owner }) => owner('DELETE', `/v1/teams/${team.slug}`),
  },
}

/** The database's rows of the team, of the user, and of what a call would have created. */
async function rowsOf({ node, team, userId }: Caller, marker: string): Promise<string[]> {
  return Object.values(await dumpTables(node, [team.id, userId, marker])).flat()
}

async function begin({ node }: Caller, protocol: string): Promise<Begin> {
  if (protocol === 'HTTP/1.1') return onHttp1(node)
  const session = await openSession(node.secure)
  onTestFinished(() => session.destroy())
  return onHttp2(session)
}

/** For a batch, that of each call. */
function statusesOf({ status, text }: HalfAnswer): number[] {
  const body = JSON.parse(text)
  if (!Array.isArray(body)) return [status]
  return body.map(({ error }) => error?.data.httpStatus ?? 200)
}

const matrix = ['HTTP/1.1', 'HTTP/2'].flatMap((protocol) =>
  Object.keys(callers).flatMap((caller) =>
    Object.keys(endings).map((ending) => ({ protocol, caller, ending })),
  ),
)

describe('a half-sent request', () => {
  it.each(matrix)('with $caller over $protocol is refused when $ending before it ends', async (which) => {
    const [newOne, ending] = [callers[which.caller], endings[which.ending]]
    if (!newOne || !ending) throw new Error('There is no such case.')
    const caller = await newOne()
    const marker = unique('half')
    const { ofOwners, ofAll } = requestsOf(caller, marker)
    const requests = which.ending === 'its user is demoted' ? ofOwners : [...ofOwners, ...ofAll]
    const start = await begin(caller, which.protocol)
    const finishes = await Promise.all(requests.map(start))
    await ending.end(caller)
    const before = await rowsOf(caller, marker)
    expect(before).not.toEqual([])
    const answers = await Promise.all(finishes.map((finish) => finish()))
    const expected = ending.status(which.caller === 'a session')
    expect([...new Set(answers.flatMap(statusesOf))]).toEqual([expected])
    expect(await rowsOf(caller, marker)).toEqual(before)
  })
})

it('half-sent requests whose credential stays valid succeed', async () => {
  const caller = await newCaller(plain)
  const headers = { authorization: `Bearer ${caller.key}` }
  const { ofOwners, ofAll } = requestsOf({ ...caller, headers }, unique('half'))
  for (const each of [...ofOwners, ...ofAll].filter(({ path }) => !path.includes('dns'))) {
    const finish = await onHttp1(plain)(each)
    expect(statusesOf(await finish())).not.toContainEqual(expect.toSatisfy((status) => status >= 400))
  }
})

describe('a half-sent form below /auth', () => {
  const json = { 'content-type': 'application/json', origin: '' }

  it('with a session that is signed out before it ends changes nothing', async () => {
    const person = await signIn(plain, await newPerson(plain))
    const other = await signIn(plain, person)
    const { browser } = person
    const cookie = [...browser.cookies('localhost')].map((pair) => pair.join('=')).join('; ')
    const headers = { ...json, origin: plain.apiUrl, cookie }
    const { body: sessions } = await other.call('GET', '/list-sessions')
    const own = sessions.find(({ current }: { current: boolean }) => current)
    const finishes = await Promise.all(
      [
        {
          path: '/auth/change-password',
          body: { currentPassword: password, newPassword: 'another password' },
        },
        { path: '/auth/revoke-session', body: { id: own.id } },
        { path: '/auth/revoke-other-sessions', body: {} },
      ].map(({ path, body }) =>
        onHttp1(plain)({ method: 'POST', path, headers, body: JSON.stringify(body) }),
      ),
    )
    await other.call('POST', '/revoke-other-sessions')
    const answers = await Promise.all(finishes.map((finish) => finish()))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect((await other.call('GET', '/list-sessions')).body).toMatchObject([{ id: own.id }])
    await signIn(plain, person)
  })

  it('with a link that was replaced before it ends sets no password', async () => {
    const person = await newPerson(plain)
    const { token } = await newLink(plain, person.email)
    const finish = await onHttp1(plain)({
      method: 'POST',
      path: '/auth/link',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: plain.apiUrl },
      body: new URLSearchParams({
        token,
        password: 'another password',
        again: 'another password',
      }).toString(),
    })
    await newLink(plain, person.email)
    expect((await finish()).status).toBe(404)
    await signIn(plain, person)
  })
})

it('an upload whose team is deleted before it ends is refused, and leaves nothing', async () => {
  const team = await newTeam(plain)
  const content = unique('content')
  await team.owner('PUT', '/v1/projects/web')
  const files = [byDigest('index.html', content)]
  const { body } = await team.owner('POST', '/v1/deployments', { project: 'web', files })
  await team.owner('DELETE', '/v1/projects/web')
  const { pathname, search } = new URL(body.missing[0].upload_url)
  const finish = await onHttp1(plain)({ method: 'PUT', path: pathname + search, headers: {}, body: content })
  expect((await team.owner('DELETE', `/v1/teams/${team.slug}`)).status).toBe(200)
  const { status, text } = await finish()
  expect({ status, reason: JSON.parse(text).reason }).toEqual({ status: 401, reason: 'upload_url_invalid' })
  const { blobs } = await dumpTables(plain, [team.id])
  expect(blobs).toEqual([])
  const kept = await readdir(join(plain.settings.SVC_DATA_DIR, 'blobs'), { recursive: true })
  expect(kept.filter((name) => name.includes(team.id) && !name.endsWith(team.id))).toEqual([])
})
