/** The list of a dashboard's files, written by `dashboard/export/finish.mjs` beside their bytes. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../../lib/has-code.ts'
import { codings } from '../../../stores/blobs/encodings.ts'

const fileSchema = z.object({
  /** The digest of the uncompressed bytes, in hexadecimal, which names the object that holds them. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** In bytes. */
  size: z.int().min(0),
  /** The Content-Type. */
  type: z.string(),
  /** The Content-Security-Policy; for pages it lists the digests of their inline scripts. */
  csp: z.string(),
  /** The lengths of the compressed variants, in bytes, whose objects are named `<sha256>.<coding>`. */
  encoded: z.partialRecord(z.enum(codings), z.int().min(0)),
})

const filesSchema = z.record(z.string(), fileSchema).transform((files) => new Map(Object.entries(files)))

const manifestSchema = z.object({
  /** The export's files by their path, without a leading slash. */
  files: filesSchema,
  /** Hashed files of the export before, for tabs that were opened with it. */
  previous: filesSchema,
})

export type DashboardFile = z.infer<typeof fileSchema>

type Manifest = z.infer<typeof manifestSchema>

/** A manifest, and what identifies its file among those that replace it. */
export type ReadManifest = { identity: string; manifest: Manifest }

/**
 * The manifest in `directory`, or undefined if there is none; `known` itself where its file has not been
 * replaced since.
 * @throws where it is malformed.
 */
export async function readManifest(
  directory: string,
  known: ReadManifest | undefined,
): Promise<ReadManifest | undefined> {
  const path = join(directory, 'manifest.json')
  try {
    const { ino, mtimeMs, size } = await stat(path)
    const identity = `${ino} ${mtimeMs} ${size}`
    if (known?.identity === identity) return known
    return { identity, manifest: manifestSchema.parse(JSON.parse(await readFile(path, 'utf8'))) }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
