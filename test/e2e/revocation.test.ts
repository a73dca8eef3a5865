/**
 * Two processes on one PostgreSQL: what one revokes, the other refuses within a second, even without a
 * notification.
 * @module-tag long
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/lib/ids.ts'
import { hashToken, newToken } from '../../src/platform/callers/token.ts'
import { startTcpProxy, type TcpProxy } from '../api/server/tcp-proxy.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { postgresUrl } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'

const server = await postgresUrl()

const answered = z
  .object({ id: z.string(), token: z.string(), api_key: z.string(), reason: z.string() })
  .partial()

describe.runIf(server)('on another node', () => {
  const cleanUps = createCleanUps()
  let one: Program
  let other: Program
  let proxy: TcpProxy
  let sql: postgres.Sql

  async function newNode(url: string): Promise<Program> {
    const directory = await cleanUps.newDirectory()
    const program = await startProgram({
      SVC_DATA_DIR: directory,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SVC_JWT_SECRET: 'the secret that both of the nodes have',
      DATABASE_URL: url,
    })
    cleanUps.add(() => program.end('SIGTERM'))
    return program
  }

  beforeAll(async () => {
    const databaseUrl = await cleanUps.newDatabase(server)
    sql = postgres(databaseUrl, { max: 1 })
    cleanUps.add(() => sql.end())
    const { hostname, port } = new URL(databaseUrl)
    proxy = await startTcpProxy(hostname, Number(port || 5432))
    cleanUps.add(() => proxy.cut())
    const throughProxy = new URL(databaseUrl)
    throughProxy.host = `127.0.0.1:${proxy.port}`
    one = await newNode(databaseUrl)
    other = await newNode(throughProxy.href)
  })

  async function statusOf(
    { apiUrl }: Program,
    token: string,
    method = 'GET',
    path = '/v1/projects',
    body?: object,
  ) {
    const response = await fetch(new URL(path, apiUrl), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: answered.parse(await response.json()) }
  }

  /** A new key and a JWT of it, both cached on the other node. */
  async function newCredentials() {
    const { token: owner = '' } = (await statusOf(one, one.key ?? '', 'POST', '/v1/token')).body
    const made = await statusOf(one, owner, 'POST', '/v1/apikeys', { name: 'ci', role: 'owner' })
    const { id = '', token: key = '' } = made.body
    const { token: jwt = '' } = (await statusOf(one, key, 'POST', '/v1/token')).body
    const credentials = { owner, id, key, jwt }
    expect(await statuses(credentials)).toEqual([200, 200])
    return credentials
  }

  type Credentials = Awaited<ReturnType<typeof newCredentials>>

  const statuses = async ({ key, jwt }: Credentials) => [
    (await statusOf(other, key)).status,
    (await statusOf(other, jwt)).status,
  ]

  const revoke = ({ owner, id }: Credentials) => statusOf(one, owner, 'DELETE', `/v1/apikeys/${id}`)

  it('a revoked key and its JWTs are refused as soon as the notification arrives', async () => {
    const credentials = await newCredentials()
    expect((await revoke(credentials)).status).toBe(200)
    await expect.poll(() => statuses(credentials), { timeout: 500, interval: 10 }).toEqual([401, 401])
  })

  it('a demoted owner has the member role within a second', async () => {
    const { jwt } = await newCredentials()
    await sql`update members set role = 'member'`
    await sleep(1_000)
    const refused = await statusOf(other, jwt, 'POST', '/v1/apikeys', { name: 'x', role: 'owner' })
    await sql`update members set role = 'owner'`
    await sleep(1_000)
    expect(refused).toMatchObject({ status: 403, body: { reason: 'role_required' } })
  })

  it.each([
    ['a demoted owner is a member', [{ role: 'member' }], [200, 403]],
    ['a removed member is refused', [], [401, 401]],
  ])('%s as soon as the notification arrives', async (_, left, expected) => {
    const slug = `team-${randomBytes(4).toString('hex')}`
    const { token: jwt = '' } = (await statusOf(one, one.key ?? '', 'POST', '/v1/token')).body
    const { api_key: teamKey = '' } = (await statusOf(one, jwt, 'PUT', `/v1/teams/${slug}`, {})).body
    const { token: owner = '' } = (await statusOf(one, teamKey, 'POST', '/v1/token')).body
    const email = `${slug}@example.com`
    const put = (others: object[]) =>
      statusOf(one, owner, 'PUT', `/v1/teams/${slug}`, {
        members: [{ email: null, role: 'owner' }, ...others.map((each) => ({ email, ...each }))],
      })
    const key = newToken()
    const userId = newId('user', Date.now())
    await sql`
      insert into users (id, email, email_verified, name, created_ms)
      values (${userId}, ${email}, true, 'Ada', 0)`
    await sql`
      insert into members (team_id, user_id, role, joined_ms)
      select id, ${userId}, 'owner', 0 from teams where slug = ${slug}`
    await sql`
      insert into api_keys (id, team_id, user_id, name, prefix, token_sha256, role, created_ms)
      select ${newId('key', Date.now())}, id, ${userId}, 'theirs', '', ${hashToken(key)}, 'owner', 0
      from teams where slug = ${slug}`
    const { token: theirs = '' } = (await statusOf(other, key, 'POST', '/v1/token')).body
    const seen = async () => [
      (await statusOf(other, key)).status,
      (await statusOf(other, theirs, 'PUT', `/v1/teams/${slug}`, { name: 'Theirs' })).status,
    ]
    expect(await seen()).toEqual([200, 200])
    expect((await put(left)).status).toBe(200)
    await expect.poll(seen, { timeout: 500, interval: 10 }).toEqual(expected)
  })

  it('a key and its JWTs in use are refused within a second although LISTEN hangs', async () => {
    const credentials = await newCredentials()
    expect(proxy.silence('listen "svc_changes"')).toBe(1)
    expect((await revoke(credentials)).status).toBe(200)
    const revokedMs = performance.now()
    const seen: number[][] = []
    while (performance.now() - revokedMs < 1_000) {
      seen.push(await statuses(credentials))
      await sleep(20)
    }
    expect(await statuses(credentials)).toEqual([401, 401])
    // Otherwise the node was notified after all, and this proves nothing.
    expect(seen[0]).toEqual([200, 200])
  })
})
