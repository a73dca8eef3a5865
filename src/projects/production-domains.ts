/** The domains at which a project's production is seen. */
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { domains } from '../db/schema/domains.ts'
import { projects } from '../db/schema/projects.ts'

/** The condition for an attached domain that shows the site, and doesn't send its visitors elsewhere. */
export const showsProduction = and(isNotNull(domains.verifiedMs), isNull(domains.redirectTo))

/** The names of a project's domains that do, in a query of projects. */
export const productionDomains = sql<string[]>`(
  select coalesce(json_agg(${domains.domain} order by ${domains.domain}), '[]')
  from ${domains} where ${domains.projectId} = ${projects}.id and ${showsProduction})`
