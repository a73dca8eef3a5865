/**
 * A node that is killed while a certificate is ordered, and two nodes that order for the same domains.
 * @module-tag long
 */
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { openPostgres } from '../../src/stores/db/open-database.ts'
import { certificates } from '../../src/stores/db/schema/certificates.ts'
import { domains } from '../../src/stores/db/schema/domains.ts'
import { shake } from '../platform/certificates/tls-client.ts'
import { createCleanUps } from '../support/clean-ups.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { hasPebble } from '../support/has-pebble.ts'
import { type Pebble, startPebble } from '../support/pebble.ts'
import { freePort } from '../support/ports.ts'
import { postgresUrl } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'

const server = await postgresUrl()
const cleanUps = createCleanUps()

async function prepare(environment: Record<string, string> = {}) {
  const [httpPort, tlsPort] = [await freePort(), await freePort()]
  const dns = await startDnsServer()
  const pebble = await startPebble({ httpPort, tlsPort, dnsServer: dns.address, environment })
  const url = await cleanUps.newDatabase(server)
  const database = openPostgres(url, 1)
  const settings = {
    DATABASE_URL: url,
    SVC_DATABASE_CONNECTIONS: '1',
    SVC_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_RESOLVERS: dns.address,
    SVC_ACME: '1',
    SVC_ACME_DIRECTORY: pebble.directoryUrl,
    SVC_ACME_CA: pebble.caFile,
  }
  const edge = { SVC_EDGE_PORT: httpPort, SVC_EDGE_TLS_PORT: tlsPort }
  const close = async () => {
    await database.close()
    await pebble.close()
    await dns.close()
  }
  return { httpPort, tlsPort, dns, pebble, db: database.db, settings, edge, close, root: await pebble.root() }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** A domain of the first team that is verified and leads here. */
async function addDomain(
  { db, dns }: Prepared,
  program: Program,
  domain: string,
  { configured = true } = {},
): Promise<void> {
  dns.set(domain, 'A', ['127.0.0.1'])
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
  const put = async (path: string, body: object) =>
    expect(
      (await fetch(program.apiUrl + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status,
    ).toBe(200)
  await put('/v1/projects/web', {})
  await put(`/v1/domains/${domain}`, { project: 'web' })
  const nowMs = Date.now()
  const proven = { provenMs: nowMs, verifiedMs: nowMs, configured, nextCheckMs: nowMs + 3_600_000 }
  await db.update(domains).set(proven).where(eq(domains.domain, domain))
}

const countIn = (pebble: Pebble, text: string) => pebble.output().split(text).length - 1

describe.skipIf(!hasPebble || server === undefined)('a node that is killed', () => {
  it.each([
    ['when an order was made', 'Added order'],
    ['while the authority validates', 'Attempting to validate'],
    ['when the name is validated', 'set VALID'],
    ['when the certificate was issued', 'Issued certificate'],
  ])('%s leaves the rest to the next', async (_, step) => {
    const prepared = await prepare({ PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '1' })
    try {
      const { db, pebble, settings, edge } = prepared
      const domain = `${newId('domain', Date.now()).slice(-8)}.example`
      const directory = await cleanUps.newDirectory()
      const first = await startProgram({ ...settings, ...edge, SVC_DATA_DIR: directory })
      await addDomain(prepared, first, domain)
      await expect.poll(() => pebble.output(), { interval: 5 }).toContain(step)
      await first.end('SIGKILL')
      // As if the lease had expired, which takes three minutes.
      await db.update(certificates).set({ dueMs: 0 }).where(eq(certificates.name, domain))
      const second = await startProgram({ ...settings, ...edge, SVC_DATA_DIR: directory })
      const handshake = async () => {
        await db.update(certificates).set({ dueMs: 0 }).where(eq(certificates.attempts, 1))
        return shake(prepared, domain).then((socket) => socket.destroy() && 'done', String)
      }
      await expect.poll(handshake, { timeout: 25_000 }).toBe('done')
      expect(countIn(pebble, 'Added order')).toBeLessThanOrEqual(2)
      await second.end('SIGTERM')
    } finally {
      await prepared.close()
    }
  })
})

describe.skipIf(!hasPebble || server === undefined)('two nodes', () => {
  it('make one order for each name', async () => {
    const prepared = await prepare()
    try {
      const { db, pebble, settings, edge, dns } = prepared
      const first = await startProgram({ ...settings, ...edge, SVC_DATA_DIR: await cleanUps.newDirectory() })
      const second = await startProgram({
        ...settings,
        SVC_ROLES: 'worker',
        SVC_DATA_DIR: await cleanUps.newDirectory(),
      })
      const names = Array.from({ length: 12 }, (_, number) => `name-${number}.example`)
      for (const name of names) await addDomain(prepared, first, name, { configured: false })
      await db.update(domains).set({ configured: true })
      const issued = async () =>
        (await db.select().from(certificates)).filter(({ chain }) => chain !== null).length
      await expect.poll(issued, { timeout: 25_000 }).toBe(names.length)
      expect(countIn(pebble, 'Added order')).toBe(names.length)
      const both = [first, second].map(
        (program) => `${program.stdout()}${program.stderr()}`.split('A certificate was issued.').length - 1,
      )
      expect(both.every((count) => count > 0)).toBe(true)
      expect(dns.queries.length).toBeGreaterThan(0)
      await first.end('SIGTERM')
      await second.end('SIGTERM')
    } finally {
      await prepared.close()
    }
  })
})
