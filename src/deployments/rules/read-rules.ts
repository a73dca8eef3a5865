/** Reads the rules in a deployment's `_redirects` and `_headers`. */
import { inArray } from 'drizzle-orm'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Database } from '../../db/database.ts'
import { blobs } from '../../db/schema/blobs.ts'
import { AppError, type Issue } from '../../errors.ts'
import type { PlannedFile } from '../plan-files.ts'
import { parseHeaders } from './headers.ts'
import type { Parsed } from './lines.ts'
import { parseRedirects } from './redirects.ts'
import type { HeaderRule, Redirect, Rules } from './rules.ts'

const maxFileBytes = 1024 * 1024

type RuleFile = Pick<PlannedFile, 'index' | 'path' | 'sha256' | 'size' | 'bytes'>

type RuleFiles = { redirects: RuleFile | undefined; headers: RuleFile | undefined }

/** The two files, with inline contents. */
export type FoundRules = { files: RuleFiles; inline: Rules }

/**
 * The two files, if they exist. Inline ones are parsed at once, so that nothing is uploaded for a deployment that would be
 * refused.
 * @throws AppError `invalid_input` with an issue for each invalid line, or for a file over 1 MiB.
 */
export function findRules(planned: readonly PlannedFile[]): FoundRules {
  const files = {
    redirects: planned.find(({ path }) => path === '_redirects'),
    headers: planned.find(({ path }) => path === '_headers'),
  }
  return { files, inline: parse(files) }
}

/**
 * The rules in the two files, or null without them. Reads from the blob store what isn't inline; a missing object reads as
 * empty, and then can't be recorded either.
 * @throws AppError `invalid_input`, `store_unavailable`.
 */
export async function readRules(
  { db, blobs: store }: { db: Database; blobs: BlobStore },
  { files, inline }: FoundRules,
  known: ReadonlyMap<string, { id: number }>,
): Promise<Rules | null> {
  const away = [files.redirects, files.headers].flatMap((file) => (file && !file.bytes ? file : []))
  if (away.length === 0) return orNull(inline)
  const contents = await readBlobs(
    { db, blobs: store },
    away.flatMap(({ sha256 }) => known.get(sha256)?.id ?? []),
  )
  const load = (file: RuleFile | undefined) =>
    file && { ...file, bytes: file.bytes ?? contents.get(file.sha256) ?? Buffer.alloc(0) }
  return orNull(parse({ redirects: load(files.redirects), headers: load(files.headers) }))
}

function orNull(rules: Rules): Rules | null {
  return rules.redirects.length + rules.headers.length === 0 ? null : rules
}

/** Contents by digest. */
async function readBlobs(
  { db, blobs: store }: { db: Database; blobs: BlobStore },
  ids: number[],
): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ sha256: blobs.sha256, object: blobs.object })
    .from(blobs)
    .where(inArray(blobs.id, ids))
  const entries = rows.map(async ({ sha256, object }) => [sha256, await store.read(object)] as const)
  return new Map(await Promise.all(entries))
}

function parse({ redirects, headers }: RuleFiles): Rules {
  const issues: Issue[] = []
  const rules: Rules = {
    redirects: parseFile<Redirect>(redirects, parseRedirects, issues),
    headers: parseFile<HeaderRule>(headers, parseHeaders, issues),
  }
  const [first] = issues
  if (first) throw new AppError('invalid_input', `${first.path}: ${first.message}.`, { issues })
  return rules
}

function parseFile<T>(
  file: RuleFile | undefined,
  parseText: (text: string) => Parsed<T>,
  issues: Issue[],
): T[] {
  if (!file) return []
  const at = (message: string): Issue => ({ path: `files.${file.index}`, message: `${file.path}${message}` })
  if (file.size > maxFileBytes) issues.push(at(` must have at most ${maxFileBytes} bytes`))
  if (!file.bytes || file.size > maxFileBytes) return []
  const text = decode(file.bytes)
  if (text === undefined) {
    issues.push(at(' must be UTF-8 text'))
    return []
  }
  const { rules, bad } = parseText(text)
  issues.push(...bad.map(({ line, problem }) => at(`, line ${line}: ${problem}`)))
  return rules
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
