/** Reads families from the database: verified claims, then their records. */
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTurns } from '../../../lib/async/in-turns.ts'
import { isAtOrBelow } from '../../../lib/names/domain-name.ts'
import { challengeRecordOf } from '../../../platform/certificates/certificate-names.ts'
import { challengeTxt, listChallenges } from '../../../platform/certificates/challenges.ts'
import { readPlatformCaa } from '../../../platform/certificates/platform-caa.ts'
import type { Proven } from '../../../platform/zones/family-zones.ts'
import type { PlatformZone } from '../../../platform/zones/platform-zone.ts'
import type { Database } from '../../../stores/db/database.ts'
import { prepared } from '../../../stores/db/prepared.ts'
import { domains, registrableDomains } from '../../../stores/db/schema/domains.ts'
import { zoneRecords } from '../../../stores/db/schema/records.ts'
import { buildFamily } from './build-family.ts'
import type { Family } from './zone.ts'

/**
 * The claims of teams with a verified claim in a family; `serial` is 0 if nobody ever claimed a name in it.
 */
export type Claims = { serial: number; proven: Proven[]; domainIds: string[] }

/** The settings of zones. */
export type OwnZones = {
  /** The zones' name servers. */
  nameservers: string[]
  platform?: PlatformZone | undefined
  /** The directory of the authority whose account the platform's CAA records name. */
  caaDirectory?: string | undefined
}

/** The claims in each of these families, by registrable domain, in one query. */
export async function loadClaims(lookUps: Database, registrables: string[]): Promise<Map<string, Claims>> {
  const found = new Map<string, Claims>(
    registrables.map((name) => [name, { serial: 0, proven: [], domainIds: [] }]),
  )
  for (const row of await claimsQuery(lookUps).execute({ names: JSON.stringify(registrables) })) {
    const claims = found.get(row.registrable)
    if (!claims) continue
    claims.serial = row.serial
    if (!row.claim) continue
    claims.domainIds.push(row.claim.id)
    const { domain, teamId } = row.claim
    if (row.claim.provenMs !== null) claims.proven.push({ domain, teamId })
  }
  return found
}

/** The zones of a family; undefined if nothing is verified. */
export async function loadFamily(
  db: Database,
  registrable: string,
  { serial, proven, domainIds }: Claims,
  { nameservers, platform: anyPlatform, caaDirectory }: OwnZones,
): Promise<Family | undefined> {
  const platform = anyPlatform?.registrable === registrable ? anyPlatform : undefined
  if (proven.length === 0 && !platform) return undefined
  const rows = await recordsQuery(db).execute({ ids: domainIds.join(',') })
  const challenges = await readChallenges(db, registrable)
  const platformCaa =
    platform && caaDirectory !== undefined ? await readPlatformCaa(db, caaDirectory) : undefined
  const family = { registrable, serial, proven, rows, nameservers, platform, platformCaa, challenges }
  return inTurns(buildFamily(family))
}

async function readChallenges(db: Database, registrable: string) {
  const all = await listChallenges(db)
  return all
    .filter(({ type, name }) => type === 'dns-01' && isAtOrBelow(name, registrable))
    .map((challenge) => ({ fqdn: challengeRecordOf(challenge.name), value: challengeTxt(challenge) }))
}

const proof = alias(domains, 'proof')

const wanted = sql`select jsonb_array_elements_text(${param('names')}::jsonb)`

const claimsQuery = prepared((db) =>
  db
    .select({
      registrable: registrableDomains.name,
      serial: registrableDomains.serial,
      claim: { id: domains.id, domain: domains.domain, teamId: domains.teamId, provenMs: domains.provenMs },
    })
    .from(registrableDomains)
    .leftJoin(
      domains,
      and(
        eq(domains.registrable, registrableDomains.name),
        // Unverified claims must not slow down loading the zones of others. As an array, so that the index
        // finds the claims of these teams, and no others are read.
        sql`${domains.teamId} = any(array(${db
          .select({ teamId: proof.teamId })
          .from(proof)
          .where(and(eq(proof.registrable, registrableDomains.name), isNotNull(proof.provenMs)))}))`,
      ),
    )
    .where(sql`${registrableDomains.name} = any(array(${wanted}))`)
    .prepare('dns_claims'),
)

/** By claim and not by name, since the generated records of the view have no index for names. */
const recordsQuery = prepared((db) =>
  db
    .select({
      teamId: zoneRecords.teamId,
      fqdn: zoneRecords.fqdn,
      type: zoneRecords.type,
      value: zoneRecords.value,
      strings: zoneRecords.strings,
      priority: zoneRecords.priority,
      weight: zoneRecords.weight,
      port: zoneRecords.port,
      ttl: zoneRecords.ttl,
    })
    .from(zoneRecords)
    .where(sql`${zoneRecords.domainId} = any(string_to_array(${param('ids')}, ','))`)
    .prepare('dns_records'),
)

function param(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}
