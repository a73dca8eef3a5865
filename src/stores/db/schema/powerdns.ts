/**
 * The served zones as the tables of PowerDNS (generic SQL backend, 4.7), in a separate schema: with it as the
 * search path PowerDNS serves the same zones from this database, read-only.
 */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgSchema, text } from 'drizzle-orm/pg-core'
import { above } from './parent-name.ts'
import { powerdnsContent, powerdnsType } from './powerdns-content.ts'

export const powerdns = pgSchema('powerdns')

/** Proven claims of the family of `claim` whose names are at or above `name`. */
const provenAbove = (claim: SQLWrapper, name: SQLWrapper): SQL => sql`
  from domains as proven
  where proven.registrable = ${claim}.registrable and proven.proven_ms is not null
    and (proven.domain = ${name} or right(${name}, length(proven.domain) + 1) = '.' || proven.domain)`

const longest = sql`order by length(proven.domain) desc limit 1`

/** The nearest proven name above that of `claim` is nobody's, or another team's: a zone of its own begins. */
const isApex = (claim: SQLWrapper): SQL => sql`
  ${claim}.proven_ms is not null and ${claim}.team_id is distinct from (
    select proven.team_id ${provenAbove(claim, sql`${claim}.domain`)} and proven.id <> ${claim}.id
    ${longest})`

/** The claim at the apex of the zone that serves `name`, which is in the family of `claim`. */
const zoneOf = (claim: SQLWrapper, name: SQLWrapper): SQL => sql`(
  select * from (
    select proven.*, lag(proven.team_id) over (order by length(proven.domain)) as team_above
    ${provenAbove(claim, name)}) as chain
  where team_id is distinct from team_above order by length(domain) desc limit 1)`

/** The owner of the family's longest proven name at or above `name` is the team of `row`. */
const isServed = (claim: SQLWrapper, name: SQLWrapper): SQL => sql`
  ${claim}.team_id = (select proven.team_id ${provenAbove(claim, name)} ${longest})`

const claim = sql`claim`

export const powerdnsDomains = powerdns
  .view('domains', {
    id: integer().notNull(),
    name: text().notNull(),
    master: text(),
    lastCheck: integer('last_check'),
    type: text().notNull(),
    notifiedSerial: bigint('notified_serial', { mode: 'number' }),
    account: text(),
    options: text(),
    catalog: text(),
  })
  .as(sql`
  select claim.number as id, claim.domain as name, null::text as master, null::integer as last_check,
    'NATIVE' as type, null::bigint as notified_serial, null::text as account, null::text as options,
    null::text as catalog
  from domains as claim where ${isApex(claim)}`)

const columns = {
  id: bigint({ mode: 'number' }),
  domainId: integer('domain_id').notNull(),
  name: text().notNull(),
  type: text(),
  content: text(),
  ttl: integer().notNull(),
  prio: integer(),
  disabled: boolean().notNull(),
  ordername: text(),
  auth: boolean().notNull(),
}

/** The columns that differ between rows. */
const row = (
  columns: SQL,
): SQL => sql`null::bigint as id, ${columns}, false as disabled, null::text as ordername,
    true as auth`

const leadsHere = sql`(claim.project_id is not null or claim.redirect_to is not null)`

/** The records that a claim itself creates at its name, or below it. */
const writesItself = sql`(claim.proven_ms is not null or claim.verified_ms is not null
    and ${leadsHere} and exists (select from edge_targets))`

const isOwned = sql`claim.verified_ms is not null and claim.proven_ms is not null`

/**
 * Empty non-terminals: in PowerDNS rows without a type (RFC 8020 forbids NXDOMAIN for them). Only those up to
 * three labels above records are found, since each has to be in an index.
 */
const emptyNames = sql`
  select distinct ${row(sql`zone.number as domain_id, empty.name, null::text as type,
    null::text as content, 300 as ttl, null::integer as prio`)}
  from (
    ${sql.join(
      ([1, 2, 3] as const).map(
        (labels) => sql`
    select claim.registrable, ${above(sql`record.fqdn`, labels)} as name
    from records as record join domains as claim on claim.id = record.domain_id
    where ${isServed(claim, sql`record.fqdn`)}`,
      ),
      sql` union all `,
    )}
    union all
    select claim.registrable, claim.domain from domains as claim where ${isOwned}
    ${sql.join(
      ([1, 2] as const).map(
        (labels) => sql`
    union all
    select claim.registrable, ${above(sql`claim.domain`, labels)} from domains as claim
    where claim.verified_ms is not null and ${writesItself}`,
      ),
    )}
  ) as empty
  cross join lateral ${zoneOf(sql`empty`, sql`empty.name`)} as zone
  where empty.name <> zone.domain and not exists (
    select from zone_records as record where record.fqdn = empty.name and record.team_id = zone.team_id)`

export const powerdnsRecords = powerdns.view('records', columns).as(sql`
  select ${row(sql`zone.number as domain_id, record.fqdn as name,
    ${powerdnsType} as type, ${powerdnsContent} as content,
    record.ttl, record.priority as prio`)}
  from zone_records as record
  join domains as claim on claim.id = record.domain_id
  cross join lateral ${zoneOf(claim, sql`record.fqdn`)} as zone
  where zone.team_id = record.team_id and (record.type <> 'NS' or record.fqdn <> zone.domain)
  union all
  select ${row(sql`claim.number, claim.domain, 'SOA',
    concat(coalesce((select name from nameservers order by position limit 1), claim.domain), ' hostmaster.',
      claim.domain, ' ', family.serial % 4294967296, ' 3600 600 604800 300'), 3600, null`)}
  from domains as claim join registrable_domains as family on family.name = claim.registrable
  where claim.verified_ms is not null and ${isApex(claim)}
  union all
  select ${row(sql`claim.number, claim.domain, 'NS', nameservers.name, 3600, null`)}
  from domains as claim cross join nameservers
  where claim.verified_ms is not null and ${isApex(claim)}
  union all
  ${emptyNames}`)

const noId = sql`null::integer as id`
const noIds = sql`${noId}, null::integer as domain_id`

/** Tables of PowerDNS that are always empty here. */
export const powerdnsDomainMetadata = powerdns
  .view('domainmetadata', { id: integer(), domainId: integer('domain_id'), kind: text(), content: text() })
  .as(sql`select ${noIds}, null::text as kind, null::text as content where false`)

export const powerdnsCryptoKeys = powerdns
  .view('cryptokeys', {
    id: integer(),
    domainId: integer('domain_id'),
    flags: integer(),
    active: boolean(),
    published: boolean(),
    content: text(),
  })
  .as(sql`select ${noIds}, null::integer as flags, null::boolean as active,
    null::boolean as published, null::text as content where false`)

export const powerdnsTsigKeys = powerdns
  .view('tsigkeys', { id: integer(), name: text(), algorithm: text(), secret: text() })
  .as(sql`select ${noId}, null::text as name, null::text as algorithm, null::text as secret where false`)

export const powerdnsComments = powerdns
  .view('comments', {
    id: integer(),
    domainId: integer('domain_id'),
    name: text(),
    type: text(),
    modifiedAt: integer('modified_at'),
    account: text(),
    comment: text(),
  })
  .as(sql`select null::integer as id, null::integer as domain_id, null::text as name, null::text as type,
    null::integer as modified_at, null::text as account, null::text as comment where false`)

export const powerdnsSupermasters = powerdns
  .view('supermasters', { ip: text(), nameserver: text(), account: text() })
  .as(sql`select null::text as ip, null::text as nameserver, null::text as account where false`)
