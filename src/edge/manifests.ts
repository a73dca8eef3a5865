/** The files of deployments, whole manifests at a time: they never change, so the most used ones are kept. */

import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { prepared } from '../db/prepared.ts'
import { blobs } from '../db/schema/blobs.ts'
import { manifestEntries, manifests } from '../db/schema/manifests.ts'
import { type Rules, rulesSchema } from '../deployments/rules/rules.ts'
import { type Asset, createAsset, type ManifestFile } from './answers/asset.ts'
import { type AddHeaders, createHeaders } from './rules/headers.ts'
import { createRedirects, type Redirects } from './rules/redirects.ts'
import { createSizedCache } from './sized-cache.ts'

export type Manifest = {
  has(path: string): boolean
  get(path: string): Asset | undefined
  /** The site's own rules, where it has some. */
  redirects?: Redirects
  addHeaders?: AddHeaders
  /** What this takes in memory, in files. */
  size: number
}

export type Manifests = {
  /** The manifest if it is in memory. */
  peek(manifestId: number): Manifest | undefined
  get(manifestId: number): Promise<Manifest>
}

/** Some 150 MB when all of it is in use. */
const maxCachedFiles = 500_000

/** Manifests by id, from memory or in one query. */
export function createManifests(db: Database): Manifests {
  const cache = createSizedCache<number, Manifest>((manifest) => manifest.size, maxCachedFiles)
  return {
    peek: cache.peek,
    get: (manifestId) => cache.get(manifestId, () => loadManifest(db, manifestId)),
  }
}

/** Files that are rules, and not served. */
const ruleFiles = new Set(['_redirects', '_headers'])

/** How much of the rules takes as much memory as a file, in characters of JSON. */
const ruleCharactersPerFile = 100

/**
 * A manifest over its files and rules; what goes into a file's answers is made when the file is first asked for.
 */
export function createManifest(files: Iterable<ManifestFile>, rules: Rules | null = null): Manifest {
  const byPath = new Map<string, ManifestFile>()
  for (const file of files) if (!ruleFiles.has(file.path)) byPath.set(file.path, file)
  const assets = new Map<string, Asset>()
  return {
    has: (path) => byPath.has(path),
    get(path) {
      const known = assets.get(path)
      if (known) return known
      const file = byPath.get(path)
      if (!file) return undefined
      const asset = createAsset(file)
      assets.set(path, asset)
      return asset
    },
    ...(rules && rules.redirects.length > 0 && { redirects: createRedirects(rules.redirects) }),
    ...(rules && rules.headers.length > 0 && { addHeaders: createHeaders(rules.headers) }),
    size: byPath.size + (rules ? Math.ceil(JSON.stringify(rules).length / ruleCharactersPerFile) : 0),
  }
}

const fileSchema = z
  .tuple([z.string(), z.string(), z.number(), z.string()])
  .transform(([path, sha256, size, object]) => ({ path, sha256, size, object }))

/** One value rather than a row a file: a driver takes several times as long for 20,000 rows. */
const manifestQuery = prepared((db) =>
  db
    .select({
      rules: sql<unknown>`(select ${manifests.rules} from ${manifests} where ${manifests.id} = ${sql.placeholder('manifestId')})`,
      files: sql<unknown>`json_agg(json_build_array(
        ${manifestEntries.path}, ${blobs.sha256}, ${blobs.size}, ${blobs.object}))`,
    })
    .from(manifestEntries)
    .innerJoin(blobs, eq(blobs.id, manifestEntries.blobId))
    .where(eq(manifestEntries.manifestId, sql.placeholder('manifestId')))
    .prepare('edge_manifest'),
)

async function loadManifest(db: Database, manifestId: number): Promise<Manifest> {
  const [row] = await manifestQuery(db).execute({ manifestId })
  const files = z.array(fileSchema).parse(row?.files ?? [])
  return createManifest(files, rulesSchema.nullable().parse(row?.rules ?? null))
}
