/** Fields that the payloads of all forges have. */
import { z } from 'zod'
import { isBranchName } from '../../../lib/names/branch-name.ts'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { toPrintable } from '../../../lib/names/printable.ts'
import { maxBranchBytes } from '../../projects/branch-label.ts'

/** The prefix of the refs of branches. */
const branchPrefix = 'refs/heads/'

/** The longest title or the like: as long as a value in the meta of a deployment may be. */
const maxLineLength = 1_000

/** Longer ones are of no use to anybody. */
const maxUrlLength = 2_000

/** The digest of a commit, by SHA-1 or SHA-256. */
export const commitSchema = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'should be the digest of a commit, in 40 or 64 hex digits')

/** Whether a digest stands for no commit, as before a branch was made and after it was deleted. */
export function isNoCommit(digest: string): boolean {
  return /^0+$/.test(digest)
}

/** The name of a branch (git-check-ref-format(1)), which no program takes for an option. */
export const branchSchema = z
  .string()
  .refine((name) => Buffer.byteLength(name) <= maxBranchBytes, `should have at most ${maxBranchBytes} bytes`)
  .refine(isBranchName, 'should be the name of a branch')

/** The default branch of a repository; an event is taken also without it. */
export const defaultBranchSchema = branchSchema.optional().catch(undefined)

/** The branch that a full ref names; undefined for a ref of another kind. */
export const branchOfRefSchema = z
  .string()
  .transform((ref) => (ref.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : undefined))
  .pipe(branchSchema.optional())

/** The first line, of characters that are safe to store and to print; undefined where it is empty. */
export function toLine(text: string | null | undefined): string | undefined {
  const [line = ''] = (text ?? '').trim().split(/[\r\n]/, 1)
  return toPrintable(line).trim().slice(0, maxLineLength).toWellFormed() || undefined
}

/** A text of which `toLine` makes something. */
export const textSchema = z.string().nullish()

/** A web address without a user or password. */
export const urlSchema = z.string().max(maxUrlLength).refine(isWebUrl, 'should be a web address')

function isWebUrl(text: string): boolean {
  const url = parseUrl(text)
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === ''
}

/** The secure ones of these addresses, each once. */
export function httpsUrls(urls: string[]): string[] {
  return [...new Set(urls)].filter((url) => new URL(url).protocol === 'https:')
}

/** The number of a repository or a user, as text. */
export const idSchema = z.int().nonnegative().transform(String)

/** The number of a pull request in its repository, of the 32 bits that forges have for it. */
export const numberSchema = z.int32().positive()

const pathsSchema = z.array(z.string()).nullish()

/** A commit of a push. */
export const pushedCommitSchema = z.object({
  id: commitSchema,
  message: textSchema,
  author: z.object({ name: textSchema }).nullish(),
  added: pathsSchema,
  modified: pathsSchema,
  removed: pathsSchema,
})

type PushedCommit = z.infer<typeof pushedCommitSchema>

type Pushed = { before: string; after: string; commits: PushedCommit[] }

/**
 * The paths that a push changes; undefined where the commits aren't all there is between two states of a
 * branch.
 */
export function changedPaths({ before, after, commits }: Pushed): string[] | undefined {
  if (isNoCommit(before) || !commits.some(({ id }) => id === after)) return undefined
  const paths = new Set<string>()
  for (const { added, modified, removed } of commits) {
    // Without lists, it isn't known what the commit does.
    if (!added && !modified && !removed) return undefined
    for (const list of [added, modified, removed]) for (const path of list ?? []) paths.add(path)
  }
  return [...paths]
}
