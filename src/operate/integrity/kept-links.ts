/** Files of servers whose rows have links that lead out of them: nodes refuse to write these. */
import { and, inArray, isNotNull } from 'drizzle-orm'
import { inTurns } from '../../lib/async/in-turns.ts'
import { findEscapingLink } from '../../platform/servers/kept-files/escaping-link.ts'
import type { Database } from '../../stores/db/database.ts'
import { manifests } from '../../stores/db/schema/manifests.ts'
import type { CheckDeps, Found } from './deps.ts'
import { walkTable } from './walk-table.ts'

/** The links of one may have megabytes. */
const perPage = 4

/** Looks at the links of each manifest that has some. */
export async function* checkKeptLinks({ db }: CheckDeps): AsyncGenerator<Found[]> {
  const pages = walkTable(db, 'manifests', (range) =>
    db
      .select({ id: manifests.id })
      .from(manifests)
      .where(and(range, isNotNull(manifests.links))),
  )
  for await (const page of pages) {
    const ids = page.map(({ id }) => id)
    yield []
    while (ids.length > 0) yield await leadingOut(db, ids.splice(0, perPage))
  }
}

async function leadingOut(db: Database, ids: number[]): Promise<Found[]> {
  const rows = await db
    .select({ id: manifests.id, links: manifests.links })
    .from(manifests)
    .where(inArray(manifests.id, ids))
  const found: Found[] = []
  for (const { id, links } of rows) {
    const link = await inTurns(findEscapingLink(links ?? {}))
    if (link === undefined) continue
    const message = `The link ${link} of manifest ${id} leads out of the files of a server: deploy it again.`
    found.push({ kind: 'link_leads_out', subject: `${id}`, message, mended: false })
  }
  return found
}
