/** The rules of a commit's `.svcignore`, in gitignore's syntax. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNeverDeployed } from '../../lib/names/never-deployed.ts'
import { toNfc } from '../../lib/names/nfc.ts'
import type { Objects } from './objects.ts'
import { recordsOf } from './records.ts'
import { exitOf, GitFailed, startGit } from './run-git.ts'
import { contentOf, type Entry, ignoreFile, refused, type Verdict } from './tree.ts'
import { beginWriting } from './writers.ts'

const maxBytes = 256 * 1024

/** Git repeats a rule with each path that it matches. */
const maxRuleLength = 1_024

/** Some rules take years to match. */
const limitMs = 20_000

type Source = { directory: string; objects: Objects; signal: AbortSignal }

/**
 * The verdicts of the rules at the root of `entries` on their paths, and on the directories above them that
 * are never deployed by their name; a path that no rule matches has none. Git applies the rules, as a program
 * of its own that can be stopped.
 * @throws AppError `invalid_input` for rules that are too large, no file, or too slow.
 */
export async function findVerdicts(
  { directory, objects, signal }: Source,
  entries: Entry[],
): Promise<ReadonlyMap<string, Verdict>> {
  const file = entries.find(({ path }) => path === ignoreFile)
  if (!file) return new Map()
  if (!file.mode.startsWith('100')) throw refused(ignoreFile, 'has to be a file')
  if (file.size > maxBytes) throw refused(ignoreFile, `has more than ${maxBytes} bytes`)
  const rules = toNfc((await contentOf(objects, file)).toString())
  const long = rules.split('\n').findIndex(({ length }) => length > maxRuleLength)
  if (long !== -1) throw refused(ignoreFile, `has more than ${maxRuleLength} characters in line ${long + 1}`)
  const paths = matchedPaths(entries)
  objects.rest()
  const late = AbortSignal.timeout(limitMs)
  const endWriting = await beginWriting(directory)
  const place = await mkdtemp(join(directory, 'rules-'))
  try {
    return await checkIgnore(directory, { place, rules, paths }, AbortSignal.any([signal, late]))
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw refused(ignoreFile, `has rules that take more than ${limitMs / 1_000} s`)
  } finally {
    await rm(place, { recursive: true, force: true })
    await endWriting()
  }
}

/** @throws AppError `invalid_input` for more bytes of paths than rules may be matched with. */
function matchedPaths(entries: Entry[]): Set<string> {
  const paths = new Set<string>()
  const directories = new Set<string>()
  let length = 0
  for (const { path } of entries) {
    const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const above = directories.has(directory) ? [] : neverDeployedAbove(path)
    directories.add(directory)
    for (const each of [...above, path]) {
      if (paths.has(each)) continue
      paths.add(each)
      length += each.length
      if (length > maxPathsLength)
        throw refused(ignoreFile, `has rules for more than ${maxPathsLength} characters of paths`)
    }
  }
  return paths
}

/** The most of all paths that rules are matched with, in UTF-16 code units. */
const maxPathsLength = 32 * 1024 * 1024

function neverDeployedAbove(path: string): string[] {
  const segments = path.split('/')
  return segments
    .slice(0, -1)
    .flatMap((segment, at) => (isNeverDeployed(segment) ? [segments.slice(0, at + 1).join('/')] : []))
}

/** A path that begins with a colon would mean something else. */
const here = './'

type Check = { place: string; rules: string; paths: Set<string> }

async function checkIgnore(
  directory: string,
  { place, rules, paths }: Check,
  signal: AbortSignal,
): Promise<Map<string, Verdict>> {
  const [file, workTree] = [join(place, 'rules'), join(place, 'none')]
  await Promise.all([writeFile(file, withoutSlashes(rules)), mkdir(workTree)])
  const args = [
    ...[`--work-tree=${workTree}`, '-c', `core.excludesFile=${file}`, '-c', 'core.ignoreCase=false'],
    ...['check-ignore', '--no-index', '--stdin', '-z', '--verbose', '--non-matching'],
  ]
  const child = startGit(directory, args, { signal })
  const exit = exitOf(child)
  child.stderr.resume()
  child.stdin.on('error', () => {})
  child.stdin.end([...paths].map((path) => `${here}${path}\0`).join(''))
  const verdicts = await readVerdicts(child.stdout)
  const code = await exit
  if (code !== 0 && code !== 1) throw new GitFailed(`git check-ignore ended with ${code}.`)
  return verdicts
}

/** Git would look for a directory in the work tree, which has none, to include it. */
function withoutSlashes(rules: string): string {
  return rules.replaceAll(/^(!.*[^/\s])\/+\s*$/gm, '$1')
}

/** The longest rule, or path with its beginning; a character has at most four bytes. */
const maxFieldBytes = 4 * maxRuleLength + 1_024

const tooLong = () => new GitFailed('git check-ignore printed too long a field.')

/** The verdict of each path, printed as file, line and text of its rule, and path (git-check-ignore(1)). */
async function readVerdicts(output: AsyncIterable<Buffer>): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>()
  let fields: Buffer[] = []
  for await (const records of recordsOf(output, { maxBytes: maxFieldBytes, tooLong })) {
    fields = [...fields, ...records]
    const complete = fields.length - (fields.length % 4)
    for (let at = 0; at < complete; at += 4) {
      const [rule = '', path = ''] = [fields[at + 2], fields[at + 3]].map(String)
      if (rule !== '') verdicts.set(path.slice(here.length), rule.startsWith('!') ? 'included' : 'left_out')
    }
    fields = fields.slice(complete)
  }
  return verdicts
}
