/**
 * The bare repositories of a node, one a project. They are a cache: branches are rows of the database, and a
 * repository that is lost costs one push with all of its history.
 */
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { initialize } from './initialize.ts'
import { namesIn } from './names-in.ts'
import { newOwnedName } from './owned-names.ts'
import { runGit } from './run-git.ts'
import { whileWriting } from './writers.ts'

/** Whose it is; a project that does not exist yet has no id. */
export type Owner = { teamId: string; projectId: string | undefined }

const incoming = 'incoming-'

/** The repository of a project; undefined where this node has none. */
export async function findRepository(
  root: string,
  { teamId, projectId }: Owner,
): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const directory = directoryOf(root, teamId, projectId)
  const isThere = await stat(join(directory, 'HEAD')).catch(() => undefined)
  return isThere && directory
}

/** An empty repository that is nobody's yet. */
export async function newRepository(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const directory = join(root, newOwnedName(incoming))
  await initialize(directory, 'sha1')
  return directory
}

/** Makes it the project's, unless that has got another one meanwhile; resolves to the project's. */
export async function adopt(
  root: string,
  directory: string,
  owner: { teamId: string; projectId: string },
): Promise<string> {
  const place = directoryOf(root, owner.teamId, owner.projectId)
  if (directory === place) return place
  await mkdir(join(root, owner.teamId), { recursive: true, mode: 0o700 })
  try {
    await rename(directory, place)
    return place
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return directory
    throw error
  }
}

/** Whether a repository is nobody's yet. */
export function isIncoming(root: string, directory: string): boolean {
  return directory.startsWith(join(root, incoming))
}

/** Removes a repository that is nobody's; a project's stays. */
export async function discard(root: string, directory: string): Promise<void> {
  if (isIncoming(root, directory)) await rm(directory, { recursive: true, force: true })
}

/** The names of those that are nobody's yet; each says which process made it. */
export async function listIncoming(root: string): Promise<string[]> {
  return (await namesIn(root)).filter((name) => name.startsWith(incoming))
}

/**
 * Makes the refs of a repository those of `commits`, by branch, as far as it has the commits: a push then
 * sees what is deployed, whatever became of the pushes before.
 */
export async function alignRefs(directory: string, commits: ReadonlyMap<string, string>): Promise<void> {
  const present = await runGit(directory, ['for-each-ref', '--format=%(refname) %(objectname)'])
  const refs = new Map(
    present
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => splitAt(line)),
  )
  const wanted = refsFor(commits)
  const moved = [...wanted].filter(([ref, commit]) => refs.get(ref) !== commit)
  const known = await knownCommits(
    directory,
    moved.map(([, commit]) => commit),
  )
  const isKept = (ref: string) => refs.get(ref) === wanted.get(ref) || known.has(wanted.get(ref) ?? '')
  const deletions = [...refs.keys()].filter((ref) => !isKept(ref)).map((ref) => `delete ${ref}\n`)
  const updates = moved
    .filter(([, commit]) => known.has(commit))
    .map(([ref, commit]) => `update ${ref} ${commit}\n`)
  // A deleted branch may be in the way of one below its name, so that it goes first.
  await updateRefs(directory, deletions)
  await updateRefs(directory, updates)
}

/** Whether refs, with their commits, are those of `commits`, by branch. */
export function isAligned(refs: ReadonlyMap<string, string>, commits: ReadonlyMap<string, string>): boolean {
  const wanted = refsFor(commits)
  return refs.size === wanted.size && [...wanted].every(([ref, commit]) => refs.get(ref) === commit)
}

function refsFor(commits: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...commits]
      .filter(([branch]) => !isBelowAnother(branch, commits))
      .map(([branch, commit]) => [`refs/heads/${branch}`, commit]),
  )
}

/** A repository can't have `a` and `a/b`; two nodes that were pushed to in turn may. */
function isBelowAnother(branch: string, branches: ReadonlyMap<string, string>): boolean {
  for (let end = branch.indexOf('/'); end !== -1; end = branch.indexOf('/', end + 1))
    if (branches.has(branch.slice(0, end))) return true
  return false
}

async function updateRefs(directory: string, lines: string[]): Promise<void> {
  if (lines.length === 0) return
  await whileWriting(directory, () => runGit(directory, ['update-ref', '--stdin'], lines.join('')))
}

function splitAt(line: string): [string, string] {
  const [ref = '', commit = ''] = line.split(' ')
  return [ref, commit]
}

async function knownCommits(directory: string, commits: string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set()
  const output = await runGit(directory, ['cat-file', '--batch-check'], `${commits.join('\n')}\n`)
  const lines = output.toString().split('\n')
  return new Set(lines.filter((line) => line.includes(' commit ')).map((line) => line.split(' ', 1)[0] ?? ''))
}

/** Where it is, and the id of its team. */
export type ProjectRepository = { directory: string; team: string }

/** The repositories of all projects. */
export async function listRepositories(root: string): Promise<ProjectRepository[]> {
  const teams = (await namesIn(root)).filter((name) => !name.startsWith(incoming))
  const found: ProjectRepository[] = []
  for (const team of teams)
    for (const name of await namesIn(join(root, team)))
      found.push({ directory: join(root, team, name), team })
  return found
}

function directoryOf(root: string, teamId: string, projectId: string): string {
  return join(root, teamId, `${projectId}.git`)
}
