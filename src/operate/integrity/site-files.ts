/** Deployments that have fewer or more files than they should. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../stores/db/database.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import { deployments } from '../../stores/db/schema/projects.ts'
import type { CheckDeps, Found } from './deps.ts'

const perPage = 5_000

type Counted = { manifestId: number; files: number }

/** Reads all entries in the order of their primary key. Those without any entry are no part of this. */
export async function* checkSiteFiles({ db }: CheckDeps): AsyncGenerator<Found[]> {
  let after = { manifestId: 0, path: '' }
  let open: Counted | undefined
  for (;;) {
    const page = await entriesAfter(db, after)
    const whole: Counted[] = []
    for (const { manifestId } of page) {
      if (open?.manifestId !== manifestId) {
        if (open) whole.push(open)
        open = { manifestId, files: 0 }
      }
      open.files += 1
    }
    const last = page.at(-1)
    if (last === undefined && open) whole.push(open)
    yield await differing(db, whole)
    if (last === undefined) return
    after = last
  }
}

function entriesAfter(db: Database, { manifestId, path }: { manifestId: number; path: string }) {
  return db
    .select({ manifestId: manifestEntries.manifestId, path: manifestEntries.path })
    .from(manifestEntries)
    .where(
      sql`(${manifestEntries.manifestId}, ${manifestEntries.path}) > (${manifestId}::bigint, ${path}::text)`,
    )
    .orderBy(asc(manifestEntries.manifestId), asc(manifestEntries.path))
    .limit(perPage)
}

async function differing(db: Database, counted: Counted[]): Promise<Found[]> {
  if (counted.length === 0) return []
  const files = new Map(counted.map((each) => [each.manifestId, each.files]))
  const found = await db
    .select({ id: deployments.id, files: deployments.files, manifestId: deployments.manifestId })
    .from(deployments)
    .where(and(inArray(deployments.manifestId, [...files.keys()]), eq(deployments.state, 'ready')))
  return found.flatMap(({ id, files: expected, manifestId }) => {
    const there = files.get(manifestId ?? 0)
    if (there === expected) return []
    const message = `Deployment ${id} has ${there} files instead of ${expected}: deploy it again.`
    return [{ kind: 'deployment_incomplete', subject: id, message, mended: false }]
  })
}
