/** The site that a deployment serves: the entries of its manifest, and its rules. */
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { KnownBlob } from '../../stores/blobs/rows.ts'
import type { Database } from '../../stores/db/database.ts'
import type { CheckedFile } from './file-list.ts'
import { type NewManifest, toEntries } from './manifest.ts'
import { type FoundRules, readRules } from './read-rules.ts'
import type { Warning } from './warnings/warning.ts'

/** The entries and rules of a manifest, and what to warn of. Sources have no rules. */
export type Site = Pick<NewManifest, 'entries' | 'rules'> & { warnings: Warning[] }

/** A list of files, and the rules among them; none for the sources of a build. */
type Found = { files: readonly CheckedFile[]; rules: FoundRules | undefined }

/**
 * The site of the files, whose blobs are known by digest.
 * @throws AppError `invalid_input` for invalid rules, `store_unavailable`.
 */
export async function toSite(
  stores: { db: Database; blobs: BlobStore },
  { files, rules }: Found,
  known: ReadonlyMap<string, KnownBlob>,
): Promise<Site> {
  const read = rules ? await readRules(stores, rules, known) : { rules: null, warnings: [] }
  return { ...read, entries: toEntries(files, known) }
}
