/** 1,000 zones of 100 records of all kinds: in the database, as zone files, and questions about them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce } from '../dist/lib/async/in-turns.js'
import { formatZone } from '../dist/platform/dns/zone-file/format.js'
import { soaOf } from '../dist/platform/zones/soa.js'

export const zoneCount = 1_000
const teamCount = 50

/** Questions in the file, drawn at random over all records; this share is about names that aren't there. */
const questionCount = 150_000
const missing = 0.05

/**
 * The records of a zone: name, type, value and, for MX and SRV, their numbers; `[zone]` stands for its name.
 */
const kinds = [
  ['@', 'A', '192.0.2.1'],
  ['@', 'AAAA', '2001:db8::1'],
  ['@', 'MX', 'mail.[zone]', 10],
  ['@', 'MX', 'mail.example.net', 20],
  ['@', 'TXT', 'v=spf1 mx include:spf.example.net -all'],
  ['_dmarc', 'TXT', 'v=DMARC1; p=reject; rua=mailto:dmarc@example.net'],
  ['key._domainkey', 'TXT', `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0B'.repeat(19)}`],
  ['mail', 'A', '192.0.2.25'],
  ['www', 'CNAME', '[zone]'],
  ['*.apps', 'A', '192.0.2.80'],
  ['_sip._tcp', 'SRV', 'mail.[zone]', 1, 2, 5060],
  ...Array.from({ length: 54 }, (_, index) => [`host-${index}`, 'A', `198.51.100.${index}`]),
  ...Array.from({ length: 20 }, (_, index) => [`host-${index}`, 'AAAA', `2001:db8::${index + 16}`]),
  ...Array.from({ length: 15 }, (_, index) => [`alias-${index}`, 'CNAME', `host-${index}.[zone]`]),
]

const zoneName = (number) => `zone-${number}.com`

/** Writes the zones into the database as teams' proven domains, all at once. */
export async function fillZones(sql) {
  await sql`
    insert into teams (id, slug, name, personal, created_ms)
    select 'team_bench' || i, 'bench-' || i, 'bench', false, 0
    from generate_series(1, ${teamCount}::int) as i`
  await sql`
    insert into registrable_domains (name, serial, changed_ms)
    select 'zone-' || i || '.com', 1790000000, 0 from generate_series(1, ${zoneCount}::int) as i`
  await sql`
    insert into domains (id, team_id, domain, reversed, registrable, proof, proven_ms, verified_ms,
      next_check_ms, created_ms, updated_ms)
    select 'dom_bench' || i, 'team_bench' || (i % ${teamCount} + 1), 'zone-' || i || '.com', 'com.zone-' || i,
      'zone-' || i || '.com', 'svc-verify=' || md5(i::text), 1, 1, 9000000000000000, 0, 0
    from generate_series(1, ${zoneCount}::int) as i`
  const rows = kinds.map(([name, type, value, priority, weight, port], index) => ({
    index,
    type,
    value,
    priority,
    weight,
    port,
    prefix: name === '@' ? '' : `${name}.`,
    suffix: name === '@' ? '' : `.${name.split('.').reverse().join('.')}`,
  }))
  await sql`
    insert into records (id, team_id, domain_id, fqdn, reversed, type, value, priority, weight, port,
      ttl, created_ms, updated_ms)
    select 'rec_' || md5(domains.id || ' ' || kind.index), team_id, domains.id, prefix || domain,
      reversed || suffix, type, replace(value, '[zone]', domain), priority, weight, port, 300,
      kind.index, kind.index
    from domains cross join json_to_recordset(${JSON.stringify(rows)}::text::json) as kind(index integer,
      type text, value text, priority integer, weight integer, port integer, prefix text, suffix text)`
  await sql.unsafe('vacuum analyze')
}

/** The same zones as files, as an export of each writes it; returns their names and files. */
export async function zoneFiles(sql, nameservers, directory) {
  mkdirSync(directory)
  const byZone = new Map()
  const rows = await sql`
    select domain, fqdn, type, value, priority, weight, port, ttl, comment, managed
    from zone_records join domains on domains.id = domain_id`
  for (const { domain, ...record } of rows) byZone.set(domain, [...(byZone.get(domain) ?? []), record])
  return [...byZone].map(([name, records]) => {
    const file = join(directory, name)
    const soa = soaOf({ apex: name, serial: 1_790_000_000, nameservers })
    writeFileSync(file, atOnce(formatZone({ apex: name, soa, nameservers, records })))
    return { name, file }
  })
}

/** Names and types, one question a line, as dnsperf reads them. */
export function questionsOf() {
  const random = randomNumbers(1)
  const lines = Array.from({ length: questionCount }, (_, index) => {
    const zone = zoneName(1 + Math.floor(random() * zoneCount))
    if (random() < missing) return `nothing-${index}.${zone} A`
    const [name, type] = kinds[Math.floor(random() * kinds.length)]
    // A CNAME is met by whoever asks for addresses; below a wildcard every name is there.
    const asked = name.replace('*', `app-${index % 100}`)
    return `${asked === '@' ? '' : `${asked}.`}${zone} ${type === 'CNAME' ? 'A' : type}`
  })
  return `${lines.join('\n')}\n`
}

/** The same numbers from 0 to 1 in each run (mulberry32). */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
