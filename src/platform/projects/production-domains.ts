/** The domains that serve a project's production. */
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { certificates } from '../../stores/db/schema/certificates.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { projects } from '../../stores/db/schema/projects.ts'

/** The condition for an attached domain that serves the site instead of redirecting. */
export const showsProduction = and(isNotNull(domains.verifiedMs), isNull(domains.redirectTo))

export type ProductionDomain = { domain: string; certified: boolean }

const domain = sql`json_build_object('domain', ${domains.domain}, 'certified', exists (
  select from ${certificates}
  where ${certificates.domainId} = ${domains.id} and ${certificates.chain} is not null))`

/** The domains of a query as one list, by name. */
export const domainList = sql`json_agg(${domain} order by ${domains.domain})`

/** A project's serving domains, in a query of projects. */
export const productionDomains = sql<ProductionDomain[]>`(
  select coalesce(${domainList}, '[]')
  from ${domains} where ${domains.projectId} = ${projects}.id and ${showsProduction})`
