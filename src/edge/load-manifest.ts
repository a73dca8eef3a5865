/** Reads a manifest with what is known of its blobs, in one query. */
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { blobs } from '../db/schema/blobs.ts'
import { manifestEntries, manifests } from '../db/schema/manifests.ts'
import { rulesSchema } from '../deployments/rules/rules.ts'
import type { ManifestFile } from './answers/asset.ts'
import { createManifest, type Manifest } from './manifest.ts'

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

/** One value rather than a row a file: a driver takes several times as long for 20,000 rows. */
const manifestQuery = prepared((db) =>
  db
    .select({
      rules: sql<unknown>`(select ${manifests.rules} from ${manifests} where ${manifests.id} = ${sql.placeholder('manifestId')})`,
      files: sql<unknown>`json_agg(json_build_array(
        ${manifestEntries.path}, ${blobs.sha256}, ${blobs.size}, ${blobs.object},
        ${blobs.encodeAfterMs} is not null,
        ${blobs.brObject}, ${blobs.brSize}, ${blobs.gzipObject}, ${blobs.gzipSize}))`,
    })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, sql.placeholder('manifestId')))
    .prepare('edge_manifest'),
)

/** The manifest, without files if there is none of this id. */
export async function loadManifest(db: Database, manifestId: number): Promise<Manifest> {
  const [row] = await manifestQuery(db).execute({ manifestId })
  const files = z.array(fileSchema).parse(row?.files ?? [])
  return createManifest(files, rulesSchema.nullable().parse(row?.rules ?? null))
}
