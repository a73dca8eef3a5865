/** A team's domains by pages, by name, with filters. */
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { afterDomain, type Page, pageOf } from '../../stores/db/page.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import { isSeen, type Scope } from '../callers/scope.ts'
import { projectIdOf } from '../projects/read-project.ts'
import type { ListDomains } from './domain-input.ts'
import type { DomainRecord } from './domain-output.ts'
import { type ReadDeps, selectDomains, toRecord } from './read-domain.ts'

/** The filters. */
export type DomainFilters = Omit<ListDomains, 'limit' | 'cursor'>

/**
 * The domains that the caller sees and that match every filter; none for an unknown project.
 * @throws AppError `invalid_cursor`.
 */
export async function listDomains(
  deps: ReadDeps,
  scope: Scope,
  options: ListDomains,
): Promise<Page<DomainRecord>> {
  const rows = await pageQuery(deps.store.db, scope, options)
  const page = pageOf(rows, options.limit, (row) => [row.domain])
  return { ...page, data: page.data.map((row) => toRecord(deps, row)) }
}

/** The query for the rows of a page, plus one if there are more. @throws AppError `invalid_cursor`. */
export function pageQuery(db: Database, scope: Scope, { limit, cursor, project, verified }: ListDomains) {
  return selectDomains(db)
    .where(
      and(
        eq(domains.teamId, scope.teamId),
        isSeen(scope, domains.projectId),
        project === undefined ? undefined : eq(domains.projectId, projectIdOf(db, scope, project)),
        verified === undefined ? undefined : (verified ? isNotNull : isNull)(domains.verifiedMs),
        afterDomain(cursor, domains.domain),
      ),
    )
    .orderBy(asc(domains.domain))
    .limit(limit + 1)
}
