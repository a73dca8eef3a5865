/** Reads the rules in a deployment's `_redirects` and `_headers`, and what to warn of. */
import { AppError, type Issue } from '../../lib/errors.ts'
import type { BlobStore } from '../../stores/blobs/blob-store.ts'
import type { Database } from '../../stores/db/database.ts'
import type { CheckedFile, FileList, RuleFiles } from './file-list.ts'
import { readBlobs } from './read-blobs.ts'
import { parseHeaders } from './rules/headers.ts'
import type { Parsed } from './rules/lines.ts'
import type { Numbered, NumberedRules } from './rules/numbered-rules.ts'
import { parseRedirects } from './rules/redirects.ts'
import type { HeaderRule, Redirect, Rules } from './rules/rules.ts'
import { ruleWarnings } from './warnings/rule-warnings.ts'
import { siteWarnings } from './warnings/site-warnings.ts'
import type { Warning } from './warnings/warning.ts'

/** The largest file of rules, in bytes. */
export const maxRuleFileBytes = 1024 * 1024

/**
 * The two files, with inline contents, among all files of a site; no `paths` where these alone don't say what
 * visitors get.
 */
export type FoundRules = { files: RuleFiles; inline: ParsedRules; paths: ReadonlySet<string> | undefined }

/** A site's rules, or null without any, and the warnings about them and about its files. */
export type SiteRules = { rules: Rules | null; warnings: Warning[] }

type ParsedRules = { numbered: NumberedRules; doubts: Warning[] }

/**
 * The two files, if they exist. Inline ones are parsed at once, so that nothing is uploaded for a deployment
 * that would be refused.
 * @throws AppError `invalid_input` with an issue for each invalid line, or for a file over 1 MiB.
 */
export function findRules({ files, ruleFiles }: FileList): FoundRules {
  return { files: ruleFiles, inline: parse(ruleFiles), paths: new Set(files.map(({ path }) => path)) }
}

/**
 * The rules in the two files. Reads from the blob store what isn't inline; a missing object reads as empty,
 * and then can't be recorded either.
 * @throws AppError `invalid_input`, `store_unavailable`.
 */
export async function readRules(
  { db, blobs: store }: { db: Database; blobs: BlobStore },
  { files, inline, paths }: FoundRules,
  known: ReadonlyMap<string, { id: number }>,
): Promise<SiteRules> {
  const away = [files.redirects, files.headers].flatMap((file) => (file && !file.bytes ? file : []))
  if (away.length === 0) return siteRules(inline, paths)
  const contents = await readBlobs(
    { db, blobs: store },
    away.flatMap(({ sha256 }) => known.get(sha256)?.id ?? []),
  )
  const load = (file: CheckedFile | undefined) =>
    file && { ...file, bytes: file.bytes ?? contents.get(file.sha256) ?? Buffer.alloc(0) }
  return siteRules(parse({ redirects: load(files.redirects), headers: load(files.headers) }), paths)
}

function siteRules({ numbered, doubts }: ParsedRules, paths: FoundRules['paths']): SiteRules {
  const { redirects, headers } = numbered
  const rules =
    redirects.length + headers.length === 0
      ? null
      : { redirects: redirects.map(({ rule }) => rule), headers: headers.map(({ rule }) => rule) }
  const ofFiles = paths ? [...ruleWarnings(numbered, paths), ...siteWarnings(paths, rules)] : []
  const warnings = [...doubts, ...ofFiles]
  return { rules, warnings: warnings.map((warning) => ({ ...warning, message: `${warning.message}.` })) }
}

function parse({ redirects, headers }: RuleFiles): ParsedRules {
  const found: Found = { issues: [], doubts: [] }
  const numbered: NumberedRules = {
    redirects: parseFile<Redirect>(redirects, parseRedirects, found),
    headers: parseFile<HeaderRule>(headers, parseHeaders, found),
  }
  const [first] = found.issues
  if (first) {
    throw new AppError('invalid_input', `${first.message}.`, { issues: found.issues })
  }
  return { numbered, doubts: found.doubts }
}

type Found = { issues: Issue[]; doubts: Warning[] }

function parseFile<T>(
  file: CheckedFile | undefined,
  parseText: (text: string) => Parsed<T>,
  { issues, doubts }: Found,
): Numbered<T>[] {
  if (!file) return []
  const at = (message: string): Issue => ({ path: `files.${file.index}`, message: `${file.path}${message}` })
  if (file.size > maxRuleFileBytes) issues.push(at(` must have at most ${maxRuleFileBytes} bytes`))
  if (!file.bytes || file.size > maxRuleFileBytes) return []
  const text = decode(file.bytes)
  if (text === undefined) {
    issues.push(at(' must be UTF-8 text'))
    return []
  }
  const { rules, bad, doubtful } = parseText(text)
  issues.push(...bad.map(({ line, problem }) => at(`, line ${line}: ${problem}`)))
  doubts.push(...doubtful.map((doubt) => ({ path: file.path, ...doubt })))
  return rules
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
