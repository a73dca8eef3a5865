/** The domains that serve a project's production. */
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { domains } from '../db/schema/domains.ts'
import { projects } from '../db/schema/projects.ts'

/** The condition for an attached domain that serves the site instead of redirecting. */
export const showsProduction = and(isNotNull(domains.verifiedMs), isNull(domains.redirectTo))

/** The names of a project's serving domains, in a query of projects. */
export const productionDomains = sql<string[]>`(
  select coalesce(json_agg(${domains.domain} order by ${domains.domain}), '[]')
  from ${domains} where ${domains.projectId} = ${projects}.id and ${showsProduction})`
