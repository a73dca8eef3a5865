/**
 * Applications with databases of the machine, which the operator has opened to their team: the clients are
 * those of npm, as they are, and a release command makes the tables.
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../support/databases.ts'
import { type Application, mayChooseUser, nobody, type Platform, startPlatform } from './platform.ts'
import { send } from './visitor.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const server = process.env.TEST_ON
const redis = inject('redis')

const migrate = `import pg from 'pg'
const client = new pg.Client(process.env.DATABASE_URL)
await client.connect()
await client.query('create table if not exists people (name text primary key)')
const key = 'text primary key'
await client.query('create table if not exists sessions (id ' + key + ', name text references people)')
console.log('migrated')
await client.end()
`

const pool = `import pg from 'pg'
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 })
`

const page = `import { cookies } from 'next/headers'
import { pool } from '../pool.mjs'
export const dynamic = 'force-dynamic'
export default async function Page() {
  const id = (await cookies()).get('session')?.value ?? ''
  const { rows } = await pool.query('select name from sessions where id = $1', [id])
  return <h1>{rows[0] ? 'hello ' + rows[0].name : 'signed out'}</h1>
}
`

const layout = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`

const signIn = `import { randomUUID } from 'node:crypto'
import { pool } from '../../pool.mjs'
export async function POST(request) {
  const name = String((await request.formData()).get('name'))
  const id = randomUUID()
  await pool.query('insert into people (name) values ($1) on conflict do nothing', [name])
  await pool.query('insert into sessions values ($1, $2)', [id, name])
  const headers = { location: '/', 'set-cookie': 'session=' + id + '; Path=/; HttpOnly; SameSite=Lax' }
  return new Response(null, { status: 303, headers })
}
`

/** Its pages are of those who have signed in, with sessions in PostgreSQL. */
const nextWithPostgres = (database: string): Application => ({
  name: 'next',
  packages: ['next@16', 'react@19', 'react-dom@19', 'pg@8'],
  manifest: { type: 'module', scripts: { build: 'next build', start: 'next start' } },
  files: {
    'migrate.mjs': migrate,
    'pool.mjs': pool,
    'app/layout.jsx': layout,
    'app/page.jsx': page,
    'app/sign-in/route.js': signIn,
  },
  variables: [`DATABASE_URL=${database}`],
  settings: ['--network', 'tcp', '--port', '5432', '--release', 'node migrate.mjs'],
})

const honoWithRedis = (url: string): Application => ({
  name: 'hono',
  packages: ['hono@4', '@hono/node-server@1', 'ioredis@5'],
  files: {
    'index.mjs': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import Redis from 'ioredis'
const redis = new Redis(process.env.REDIS_URL)
const app = new Hono()
app.get('/', async (c) => c.text('visits: ' + await redis.incr(process.env.KEY)))
serve({ fetch: app.fetch, port: Number(process.env.PORT) })
`,
  },
  manifest: { scripts: { start: 'node index.mjs' } },
  variables: [`REDIS_URL=${url}`, `KEY=${inject('databasePrefix')}visits`],
  settings: ['--network', 'tcp', '--port', String(new URL(url).port || 6379)],
})

/** The place of an address, as it is opened to the team of a new platform. */
const placeOf = (url: string, port: number) => {
  const { hostname, port: given } = new URL(url)
  return `personal=${hostname}:${given || port}`
}

describe.each([
  { on: 'Node.js 20', version: '20' },
  { on: 'Node.js 24', version: '24' },
  ...(mayChooseUser ? [{ on: 'Node.js 20 as nobody', version: '20', uid: nobody }] : []),
])('on $on', ({ version, uid }) => {
  let platform: Platform
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = server === undefined ? undefined : await createEmptyDatabase(server)
    const places = [
      ...(database ? [placeOf(database.url, 5_432)] : []),
      ...(redis === undefined ? [] : [placeOf(redis, 6_379)]),
    ]
    platform = await startPlatform(version, { uid, more: { SVC_RUNTIME_PRIVATE: places.join(',') } })
  })
  afterAll(async () => {
    await platform.program.end('SIGTERM')
    await database?.drop()
  })

  it.skipIf(server === undefined)('Next.js signs people in, with sessions in PostgreSQL', async () => {
    const { url, made } = await platform.deploy(nextWithPostgres(database?.url ?? ''))
    expect(made).toMatchObject({ live: true, state: 'ready' })
    expect(await send(url, '/')).toMatchObject({ status: 200, text: expect.stringContaining('signed out') })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }
    const signedIn = await send(url, '/sign-in', { method: 'POST', headers, body: 'name=Ada' })
    expect(signedIn).toMatchObject({ status: 303, headers: { location: '/' } })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const { text } = await send(url, '/', { headers: { cookie } })
    expect(text).toContain('hello Ada')
    expect(await platform.svc(['logs', '--kind', 'build', '--project', 'next'])).toContain('migrated')
  })

  it.skipIf(redis === undefined)('Hono counts in Redis', async () => {
    const { url } = await platform.deploy(honoWithRedis(redis ?? ''))
    const [first, second] = [await send(url, '/'), await send(url, '/')]
    const visits = Number(/\d+/.exec(first.text)?.[0])
    expect(second).toMatchObject({ status: 200, text: `visits: ${visits + 1}` })
  })
})
