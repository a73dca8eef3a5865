/** The differences between the files of two deployments. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import type { Database } from '../../stores/db/database.ts'
import { afterPath, pageOf } from '../../stores/db/page.ts'
import { integer } from '../../stores/db/record-fields.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries } from '../../stores/db/schema/manifests.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../callers/scope.ts'
import type { Compare } from './deployment-input.ts'
import { findManifest } from './find-manifest.ts'

const changeSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  size: integer.nullable().meta({ description: 'Bytes; null if it was removed' }),
  size_before: integer.nullable().meta({ description: 'Bytes; null if it was added' }),
})

export const comparisonSchema = z.object({
  with: idSchema('deployment')
    .nullable()
    .meta({ description: 'What it is compared with; null: with nothing, since none is live' }),
  added: integer,
  removed: integer,
  changed: integer,
  data: z.array(changeSchema).meta({ description: 'By path' }),
  next_cursor: z.string().nullable(),
})

export type Comparison = z.infer<typeof comparisonSchema>

/**
 * The files that `deployment` adds, removes and changes. The counts are of all pages.
 * @throws AppError `deployment_not_found`, `invalid_cursor`.
 */
export async function compareDeployments(
  { store: { db, lookUps } }: { store: Store },
  scope: Scope,
  { deployment, with: other, limit, cursor }: Compare,
): Promise<Comparison> {
  const { manifestId, liveId } = await findManifest(lookUps, scope, deployment)
  const before = other ?? liveId
  const manifests = {
    after: manifestId,
    before: before === null ? null : (await findManifest(lookUps, scope, before)).manifestId,
  }
  const [counts, rows] = await Promise.all([
    countChanges(db, manifests),
    readChanges(db, manifests, { limit, cursor }),
  ])
  return { with: before, ...counts, ...pageOf(rows, limit, ({ path }) => [path]) }
}

/** Ids of manifests; null stands for no files. */
type Manifests = { after: number | null; before: number | null }

const entriesOf = (manifestId: number | null) => sql`
  select path, blob_id from ${manifestEntries} where manifest_id = ${manifestId}::bigint`

/** The paths whose blobs differ: a team has one blob for each digest. */
const differing = ({ after, before }: Manifests) => sql`(
  select path, entry.blob_id as after, old.blob_id as before
  from (${entriesOf(after)}) as entry full join (${entriesOf(before)}) as old using (path)
  where entry.blob_id is distinct from old.blob_id) as differing`

async function countChanges(db: Database, manifests: Manifests) {
  const [counts] = await db
    .select({
      added: sql`count(*) filter (where before is null)`.mapWith(Number),
      removed: sql`count(*) filter (where after is null)`.mapWith(Number),
      changed: sql`count(*) filter (where after is not null and before is not null)`.mapWith(Number),
    })
    .from(differing(manifests))
  return counts ?? { added: 0, removed: 0, changed: 0 }
}

async function readChanges(
  db: Database,
  manifests: Manifests,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Comparison['data']> {
  const sizeOf = (column: string) =>
    sql<
      number | null
    >`(select ${blobs.size} from ${blobs} where ${blobs.id} = ${sql.identifier(column)})`.mapWith(Number)
  const path = sql<string>`path`
  return db
    .select({
      path,
      change: sql<Comparison['data'][number]['change']>`
        case when before is null then 'added' when after is null then 'removed' else 'changed' end`,
      size: sizeOf('after'),
      size_before: sizeOf('before'),
    })
    .from(differing(manifests))
    .where(afterPath(cursor, path))
    .orderBy(path)
    .limit(limit + 1)
}
