/**
 * The bare repositories of a node, one a project. They are a cache: branches are rows of the database, and a
 * repository that is lost costs one push with all of its history.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from './program.ts'

/** Whose it is; a project that does not exist yet has no id. */
export type Owner = { teamId: string; projectId: string | undefined }

/** More than this is thrown away, in bytes of a repository, of a team and of a node. */
const most = { repository: 1024 ** 3, team: 2 * 1024 ** 3, node: 10 * 1024 ** 3 }

/** With more packs every look at an object takes longer. */
const maxPacks = 100

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
  const directory = join(root, `${incoming}${randomBytes(12).toString('hex')}`)
  await runGit(directory, ['init', '--quiet', '--bare', '--template=', directory])
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
    if (!(error instanceof Error && 'code' in error && /^(ENOTEMPTY|EEXIST)$/.test(String(error.code))))
      throw error
    return directory
  }
}

/** Removes a repository that is nobody's; a project's stays. */
export async function discard(root: string, directory: string): Promise<void> {
  if (directory.startsWith(join(root, incoming))) await rm(directory, { recursive: true, force: true })
}

/** Removes what a process that died has left. */
export async function discardAll(root: string): Promise<void> {
  for (const name of await namesIn(root)) await discard(root, join(root, name))
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
  const wanted = new Map(
    [...commits]
      .filter(([branch]) => !isBelowAnother(branch, commits))
      .map(([branch, commit]) => [`refs/heads/${branch}`, commit]),
  )
  const moved = [...wanted].filter(([ref, commit]) => refs.get(ref) !== commit)
  const known = await knownCommits(
    directory,
    moved.map(([, commit]) => commit),
  )
  const isKept = (ref: string) => refs.get(ref) === wanted.get(ref) || known.has(wanted.get(ref) ?? '')
  // A deleted branch may be in the way of one below its name, so that it goes first.
  await updateRefs(
    directory,
    [...refs.keys()].filter((ref) => !isKept(ref)).map((ref) => `delete ${ref}\n`),
  )
  await updateRefs(
    directory,
    moved.filter(([, commit]) => known.has(commit)).map(([ref, commit]) => `update ${ref} ${commit}\n`),
  )
}

/** A repository can't have `a` and `a/b`; two nodes that were pushed to in turn may. */
function isBelowAnother(branch: string, branches: ReadonlyMap<string, string>): boolean {
  for (let end = branch.indexOf('/'); end !== -1; end = branch.indexOf('/', end + 1))
    if (branches.has(branch.slice(0, end))) return true
  return false
}

async function updateRefs(directory: string, lines: string[]): Promise<void> {
  if (lines.length > 0) await runGit(directory, ['update-ref', '--stdin'], lines.join(''))
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

/** Notes the use of a repository, and throws away those beyond what a node, a team or a project may have. */
export async function keepWithinBounds(root: string, used: string): Promise<void> {
  const now = new Date()
  await utimes(used, now, now).catch(() => {})
  const found: (Awaited<ReturnType<typeof measure>> & { team: string })[] = []
  for (const team of await namesIn(root)) {
    if (team.startsWith(incoming)) continue
    for (const name of await namesIn(join(root, team)))
      found.push({ ...(await measure(join(root, team, name))), team })
  }
  const bytes = new Map<string, number>()
  let total = 0
  for (const each of found.sort((a, b) => b.usedMs - a.usedMs)) {
    const ofTeam = (bytes.get(each.team) ?? 0) + each.bytes
    const isTooMuch = each.bytes > most.repository || each.packs > maxPacks || ofTeam > most.team
    if (isTooMuch || total + each.bytes > most.node)
      await rm(each.directory, { recursive: true, force: true })
    else {
      bytes.set(each.team, ofTeam)
      total += each.bytes
    }
  }
}

async function measure(directory: string) {
  const packs = await namesIn(join(directory, 'objects', 'pack'))
  const sizes = await Promise.all(
    packs.map((name) =>
      stat(join(directory, 'objects', 'pack', name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  const usedMs = await stat(directory).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return { directory, usedMs, bytes, packs: packs.filter((name) => name.endsWith('.pack')).length }
}

function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

function directoryOf(root: string, teamId: string, projectId: string): string {
  return join(root, teamId, `${projectId}.git`)
}
