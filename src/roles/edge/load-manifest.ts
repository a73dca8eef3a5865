/** Reads manifests, or some of their entries, with their blobs, in one query. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { hashPlacesSchema, noPlaces } from '../../platform/sites/hashed-names/hash-places.ts'
import { type Rules, rulesSchema } from '../../platform/sites/rules/rules.ts'
import type { Database } from '../../stores/db/database.ts'
import { prepared } from '../../stores/db/prepared.ts'
import { blobs } from '../../stores/db/schema/blobs.ts'
import { manifestEntries, manifests } from '../../stores/db/schema/manifests.ts'
import { nameHistories } from '../../stores/db/schema/name-histories.ts'
import { createIsAssetPlace } from './asset-places.ts'
import { createHasHash } from './has-hash.ts'
import type { Names } from './manifest.ts'
import type { ManifestFile } from './responses/file-headers.ts'

const formColumns = [z.string().nullable(), z.number().nullable()] as const

const fileSchema = z
  .tuple([z.string(), z.string(), z.number(), z.string(), z.boolean(), ...formColumns, ...formColumns])
  .transform(([path, sha256, size, object, isPending, brObject, brSize, gzipObject, gzipSize]) => {
    const file: ManifestFile = { path, sha256, size, object, isPending }
    if (brObject === null && gzipObject === null) return file
    const br = brObject !== null && brSize !== null && { br: { object: brObject, size: brSize } }
    const gzip = gzipObject !== null && gzipSize !== null && { gzip: { object: gzipObject, size: gzipSize } }
    return { ...file, forms: { ...br, ...gzip } }
  })

/** One value instead of a row per file: drivers take several times as long for thousands of rows. */
const filesOf = (path: SQL) => sql<unknown>`json_agg(json_build_array(
  ${path}, ${blobs.sha256}, ${blobs.size}, ${blobs.object},
  ${blobs.encodeAfterMs} is not null,
  ${blobs.brObject}, ${blobs.brSize}, ${blobs.gzipObject}, ${blobs.gzipSize}))`

const manifestQuery = prepared((db) => {
  const entries = db
    .select({ path: manifestEntries.path, blobId: manifestEntries.blobId })
    .from(manifestEntries)
    .where(eq(manifestEntries.manifestId, sql.placeholder('manifestId')))
    .limit(sql.placeholder('maxFiles'))
    .as('entries')
  const ofManifest = sql`from ${manifests} where ${manifests.id} = ${sql.placeholder('manifestId')}`
  const ofProject = sql`from ${nameHistories}
    where ${nameHistories.projectId} = ${sql.placeholder('projectId')}`
  return db
    .select({
      rules: sql<unknown>`(select ${manifests.rules} ${ofManifest})`,
      hashPlaces: sql<unknown>`(select ${manifests.hashPlaces} ${ofManifest})`,
      changed: sql<string | null>`(select ${nameHistories.changed} ${ofProject})`,
      files: filesOf(sql`${entries.path}`),
    })
    .from(entries)
    .innerJoin(blobs, eq(blobs.id, entries.blobId))
    .prepare('edge_manifest')
})

const linesQuery = prepared((db) =>
  db
    .select({ files: filesOf(sql`${manifestEntries.path}`) })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(
      and(
        eq(manifestEntries.manifestId, sql.placeholder('manifestId')),
        sql`${manifestEntries.path} = any(string_to_array(${sql.placeholder('paths')}, chr(10)))`,
      ),
    )
    .prepare('edge_manifest_lines'),
)

export type ManifestRows = { files: ManifestFile[]; rules: Rules | null; names: Names }

/** At most `maxFiles` of the files of a project's manifest, its rules, and which names contain a hash. */
export async function loadManifest(
  db: Database,
  { manifestId, projectId }: { manifestId: number; projectId: string },
  maxFiles: number,
): Promise<ManifestRows> {
  const [row] = await manifestQuery(db).execute({ manifestId, projectId, maxFiles })
  const places = hashPlacesSchema.parse(row?.hashPlaces ?? noPlaces)
  return {
    files: z.array(fileSchema).parse(row?.files ?? []),
    rules: rulesSchema.nullable().parse(row?.rules ?? null),
    names: {
      hasHash: createHasHash(places, row?.changed ?? ''),
      isAssetPlace: createIsAssetPlace(places),
    },
  }
}

/** The manifest's files with one of these paths. */
export async function loadLines(
  db: Database,
  manifestId: number,
  paths: readonly string[],
): Promise<ManifestFile[]> {
  // No path of a file contains such a character.
  const possible = paths.filter((path) => !/[\n\0]/.test(path))
  if (possible.length === 0) return []
  const [row] = await linesQuery(db).execute({ manifestId, paths: possible.join('\n') })
  return z.array(fileSchema).parse(row?.files ?? [])
}
