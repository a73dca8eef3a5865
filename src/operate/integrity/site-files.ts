/** Deployments that have fewer or more files than they should. */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
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

/** Those with a server are found by its files, to which the files of their site are added. */
async function differing(db: Database, counted: Counted[]): Promise<Found[]> {
  if (counted.length === 0) return []
  const filesOf = new Map(counted.map((each) => [each.manifestId, each.files]))
  const ids = [...filesOf.keys()]
  const ready = eq(deployments.state, 'ready')
  const server = deployments.serverManifestId
  const columns = { id: deployments.id, expected: deployments.files }
  const alone = await db
    .select({ ...columns, manifestId: deployments.manifestId, others: sql`0`.mapWith(Number) })
    .from(deployments)
    .where(and(inArray(deployments.manifestId, ids), ready, isNull(deployments.server), isNull(server)))
  const ofSite = sql`(select count(*) from ${manifestEntries}
    where ${manifestEntries}.manifest_id = ${deployments}.manifest_id)`
  const withServer = await db
    .select({ ...columns, manifestId: server, others: ofSite.mapWith(Number) })
    .from(deployments)
    .where(and(inArray(server, ids), ready))
  return [...alone, ...withServer].flatMap(({ id, expected, manifestId, others }) => {
    const there = others + (filesOf.get(manifestId ?? 0) ?? 0)
    if (there === expected) return []
    const message = `Deployment ${id} has ${there} files instead of ${expected}: deploy it again.`
    return [{ kind: 'deployment_incomplete', subject: id, message, mended: false }]
  })
}
