/**
 * The largest zones, projects, deployments, teams and webhooks that are allowed, read in every way, with
 * little memory and without delaying others.
 * @module-tag long
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client/index.ts'
import { queryTcp } from '../roles/nameserver/client.ts'
import { blockOver, watchBusy } from '../support/busy.ts'
import { createDatabase } from '../support/databases.ts'
import { freePort } from '../support/ports.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'

const server = await postgresUrl()

/** On the reference machine; one that computes half as fast may take twice the time. */
const longestMs = 200

describe.runIf(server && process.platform === 'linux')('the largest allowed', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let program: Program
  let busyFile: string
  let dnsPort: number
  let sql: postgres.Sql
  let api: ReturnType<typeof createClient>

  beforeAll(async () => {
    const database = await createDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const directory = await newDataDirectory()
    busyFile = join(directory, 'busy')
    const watched = watchBusy(busyFile)
    dnsPort = Number(await freePort())
    program = await startProgram({
      DATABASE_URL: database.url,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SVC_DATA_DIR: directory,
      SVC_DNS_PORT: String(dnsPort),
      ...watched,
      NODE_OPTIONS: `--max-old-space-size=512 ${watched.NODE_OPTIONS}`,
    })
    cleanUps.push(() => program.end('SIGTERM'))
    sql = postgres(database.url, { max: 1, onnotice: () => {} })
    cleanUps.push(() => sql.end())
    api = createClient({ url: program.apiUrl, token: program.key ?? '' })
  })

  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  /** A domain that is verified. */
  async function proven(domain: string): Promise<string> {
    await api.domains.put.mutate({ domain })
    await sql`update domains set proven_ms = 1, verified_ms = 1 where domain = ${domain}`
    await sql`
      update registrable_domains set serial = serial + 1, changed_ms = extract(epoch from now()) * 1000
      where name = ${domain}`
    return domain
  }

  /** Does something, and returns its name if it blocked the main thread. */
  async function unobstructed<T>(what: string, work: () => Promise<T>): Promise<T> {
    await writeFile(busyFile, '')
    const done = await work()
    await fetch(`${program.apiUrl}/healthz`)
    expect([what, await blockOver(longestMs, busyFile)]).toEqual([what, undefined])
    return done
  }

  async function pages(domain: string, count: number): Promise<number> {
    let seen = 0
    let cursor: string | undefined
    for (let page = 0; page < count; page += 1) {
      const { data, next_cursor } = await api.dns.list.query({
        domain,
        limit: 100,
        ...(cursor && { cursor }),
      })
      seen += data.length
      cursor = next_cursor ?? undefined
      if (cursor === undefined) break
    }
    return seen
  }

  it.each([
    ['zone of few long texts that need escaping everywhere', 65, 'é'.repeat(32_000)],
    ['zone of ten thousand records', 10_000, 'x'.repeat(380)],
  ])('%s', { timeout: 300_000 }, async (_what, count, value) => {
    const domain = await proven(`largest-${count}.com`)
    if (count === 10_000) {
      const file = Array.from({ length: count }, (_, index) => `h${index} TXT ${'"'}${value}${'"'}\n`).join(
        '',
      )
      const input = { domain, zone: file }
      await unobstructed('a look at what an import would do', () =>
        api.dns.importZone.mutate({ ...input, dry_run: true }),
      )
      await unobstructed('an import', () => api.dns.importZone.mutate(input))
    } else {
      await unobstructed('creating records', async () => {
        for (let index = 0; index < count; index += 1) {
          await api.dns.create.mutate({ domain, name: `h${index}`, type: 'TXT', value })
        }
      })
    }
    const isFull = api.dns.create.mutate({
      domain,
      name: 'more',
      type: 'TXT',
      value: value.repeat(2).slice(0, 32_000),
    })
    await expect(isFull).rejects.toMatchObject({ data: { reason: 'too_many_records' } })
    await unobstructed('pages', async () => expect(await pages(domain, 5)).toBe(Math.min(count + 1, 500)))
    const { zone } = await unobstructed('an export', () => api.dns.exportZone.query({ domain }))
    expect(zone.split('\n').filter((line) => line.startsWith('h'))).toHaveLength(count)
    await unobstructed('the name server', async () => {
      const { answers } = await queryTcp(dnsPort, `h7.${domain}`, 'TXT')
      expect(JSON.stringify(answers).length).toBeGreaterThan(value.length)
    })
    const [view] = await sql`
      select count(*)::integer from powerdns.records join powerdns.domains on domains.id = domain_id
      where domains.name = ${domain} and records.type = 'TXT'`
    expect(view?.count).toBe(count + 1)
    if (count === 10_000) {
      await unobstructed('an import of what is there', async () =>
        expect(await api.dns.importZone.mutate({ domain, zone })).toMatchObject({ unchanged: count }),
      )
    }
    await unobstructed('an import of nothing', () => api.dns.importZone.mutate({ domain, zone: '' }))
    expect(program.process.exitCode).toBeNull()
  })
  it('environment of a project', { timeout: 120_000 }, async () => {
    const env = Array.from({ length: 100 }, (_, index) => ({
      key: `KEY_${index}`,
      value: 'é\n'.repeat(21_000),
    }))
    await unobstructed('putting it', () => api.projects.put.mutate({ project: 'largest-env', env }))
    await unobstructed('putting it again', () => api.projects.put.mutate({ project: 'largest-env', env }))
    const read = await unobstructed('a look at it', () => api.projects.get.query({ project: 'largest-env' }))
    expect(read.env).toHaveLength(env.length)
    await unobstructed('a list', () => api.projects.list.query({}))
    await unobstructed('removing it', () => api.projects.put.mutate({ project: 'largest-env', env: null }))
  })

  it('deployment of 20,000 files with the most metadata', { timeout: 240_000 }, async () => {
    await api.projects.put.mutate({ project: 'largest-site' })
    const files = Array.from({ length: 20_000 }, (_, index) => ({
      path: `${'d'.repeat(200)}/${'é'.repeat(50)}/${index}.html`,
      content: '',
    }))
    const meta = Object.fromEntries(
      Array.from({ length: 64 }, (_, index) => [`${index}`.padEnd(100, 'k'), 'é'.repeat(1_000)]),
    )
    const input = { project: 'largest-site', files, meta, target: 'production' as const }
    const { id, state } = await unobstructed('making it', () => api.deployments.create.mutate(input))
    expect(state).toBe('ready')
    await unobstructed('a look at it', () => api.deployments.get.query({ deployment: id }))
    await unobstructed('a list', () => api.deployments.list.query({ limit: 100 }))
    await unobstructed('a visit', async () => {
      expect((await visit(`${program.siteUrl('largest-site')}/${'d'.repeat(200)}/nothing.html`)).status).toBe(
        404,
      )
    })
    await unobstructed('the overview', () => api.observability.overview.query({}))
    const second = await unobstructed('the same again', () => api.deployments.create.mutate(input))
    await unobstructed('removing one', () =>
      api.deployments.delete.mutate({ deployment: id }).catch(() => {}),
    )
    expect(second.state).toBe('ready')
  })

  it('team, and its webhooks', { timeout: 120_000 }, async () => {
    const members = Array.from({ length: 499 }, (_, index) => ({
      email: `${`${index}`.padStart(60, 'm')}@${'d'.repeat(60)}.example.com`,
      role: 'member' as const,
    }))
    const everyone = { team: 'largest-team', members: [{ email: null, role: 'owner' as const }, ...members] }
    const { api_key } = await unobstructed('making a team', () =>
      api.teams.put.mutate({ team: 'largest-team' }),
    )
    const own = createClient({ url: program.apiUrl, token: api_key ?? '' })
    await unobstructed('inviting', () => own.teams.put.mutate(everyone))
    await unobstructed('inviting again', () => own.teams.put.mutate(everyone))
    const read = await unobstructed('a look at it', () => own.teams.get.query({ team: 'largest-team' }))
    expect(read.members).toHaveLength(500)
    const projects = Array.from({ length: 100 }, (_, index) => `p${index}`)
    for (const project of projects) await own.projects.put.mutate({ project })
    for (let index = 0; index < 20; index += 1) {
      const url = `https://example.com/${'u'.repeat(1_900)}/${index}`
      await own.webhooks.create.mutate({ url, events: ['deployment.ready'], projects })
    }
    await unobstructed('webhooks', () => own.webhooks.list.query({ limit: 100 }))
  })
})
