/** Ten thousand certificates: what a start takes with them, and what serving all of them leaves in memory. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import postgres from 'postgres'
import { createSelfSigned } from '../dist/platform/certificates/x509/self-signed.js'
import { deriveKey } from '../dist/stores/data-dir/encryption-key.js'
import { seal } from '../dist/stores/data-dir/seal.js'
import { amount } from './amount.mjs'
import { residentBytes, stop } from './children.mjs'
import { freePort } from './free-port.mjs'
import { startSvc } from './svc.mjs'

const count = amount(10_000, 100)
const atOnce = 8
const perStatement = 500
const barBytes = 100 * 1024 * 1024

export async function benchCertificates({ directory, openDatabase }) {
  const { url } = await openDatabase()
  const place = join(directory, 'certificates')
  mkdirSync(place)
  const master = randomBytes(32)
  const tlsPort = await freePort()
  const settings = {
    SVC_ENCRYPTION_KEY: master.toString('base64'),
    SVC_EDGE_TLS_PORT: String(tlsPort),
    SVC_ACME: '1',
    // Nobody answers there; nothing is due.
    SVC_ACME_DIRECTORY: 'https://127.0.0.1:1/dir',
    SVC_EDGE_CONNECTIONS: '0',
  }
  const first = await startSvc(place, url, settings)
  const startedMs = performance.now()
  await stop(first.child)
  const without = await timeStart(place, url, settings)
  const names = Array.from({ length: count }, (_, at) => `www-${at}.example.com`)
  await insert(url, deriveKey(master, 'certificates'), names)
  const filled = await timeStart(place, url, settings, false)
  const before = residentBytes(filled.child)
  // Twice, so that what is only needed for a while doesn't count for more than the cache.
  for (let round = 0; round < 2; round += 1) await shakeAll(tlsPort, names)
  const bytes = residentBytes(filled.child) - before
  await stop(filled.child)
  return {
    title: `${count} certificates, served once each and once more`,
    notes: [`All of it took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s.`],
    durations: [
      { what: 'start without any, in milliseconds', ms: without.ms },
      { what: 'start with all, in milliseconds', ms: filled.ms, bar: 1.3 * without.ms },
      { what: 'memory that serving them added, in MB', ms: bytes / 1024 / 1024, bar: barBytes / 1024 / 1024 },
    ],
  }
}

async function timeStart(place, url, settings, isStopped = true) {
  const startedMs = performance.now()
  const { child } = await startSvc(place, url, settings, { firstAuthorization: 'none' })
  const ms = performance.now() - startedMs
  if (isStopped) await stop(child)
  return { child, ms }
}

/** Verified domains of one team, each with a certificate that is valid for longer than this takes. */
async function insert(url, key, names) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const nowMs = Date.now()
  const [team] = await sql`select id from teams limit 1`
  await sql`insert into registrable_domains (name, serial, changed_ms) values ('example.com', 1, ${nowMs})`
  for (let at = 0; at < names.length; at += perStatement) {
    const part = names.slice(at, at + perStatement)
    const domains = part.map((domain, index) => ({
      id: `dom_${String(at + index).padStart(32, '0')}`,
      team_id: team.id,
      domain,
      registrable: 'example.com',
      reversed: domain.split('.').reverse().join('.'),
      proof: 'none',
      proven_ms: nowMs,
      verified_ms: nowMs,
      configured: true,
      certificate_wanted: true,
      redirect_to: 'example.org',
      redirect_status: 308,
      next_check_ms: nowMs + 86_400_000,
      created_ms: nowMs,
      updated_ms: nowMs,
    }))
    const certificates = await Promise.all(
      part.map(async (name, index) => {
        const made = await createSelfSigned({ name, subject: 'bench' }, nowMs)
        return {
          name,
          source: 'acme',
          domain_id: domains[index].id,
          team_id: team.id,
          chain: made.cert,
          key_sealed: seal(key, `certificate ${name} acme`, made.key),
          not_before_ms: nowMs,
          not_after_ms: nowMs + 86_400_000,
        }
      }),
    )
    await sql`insert into domains ${sql(domains)}`
    await sql`insert into certificates ${sql(certificates)}`
  }
  await sql.end()
}

async function shakeAll(port, names) {
  const queue = names.values()
  const work = async () => {
    for (const servername of queue) {
      const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
