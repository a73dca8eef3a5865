/** The work that an event at a forge leads to. */
import { z } from 'zod'
import type { ForgeEvent } from '../events/event.ts'
import type { KnownRepository } from '../find-repository.ts'

const from = z.object({ address: z.string(), requestId: z.string() })

const meta = z.record(z.string(), z.string())

/** The address of the repository that it is of; what earlier versions stored doesn't say. */
const repository = z.string().optional()

/** The fields that work of each kind has. */
const of = { from, repository }

/**
 * As it is stored with a delivery until that is done, for one that failed as long as it is listed: its parts
 * are bounded. `from` is the request that brought it, of a fork's the one that approved it, or the one that
 * has it tried again. `by` is the id of the person who has a branch deployed, if no event does. `fetch` is
 * for a deploy hook, by its id: the branch is deployed as it is then.
 */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deploy'), meta, by: z.string().optional(), ...of }),
  z.object({ kind: z.literal('deploy_fork'), meta, ...of }),
  z.object({ kind: z.literal('fetch'), hook: z.string(), ...of }),
  z.object({ kind: z.literal('remove'), ...of }),
  z.object({ kind: z.literal('close'), ...of }),
  z.object({ kind: z.literal('close_fork'), ...of }),
])

export type Work = z.infer<typeof workSchema>

/** Whether the project still has the repository that something is of. */
export function isOfRepository(
  work: Work,
  { url, formerUrls }: Pick<KnownRepository, 'url' | 'formerUrls'>,
): boolean {
  return work.repository === undefined || [url, ...formerUrls].includes(work.repository)
}

/** Without a `kind` there is nothing to do, and `outcome` says why. What is of a fork has no `branch`. */
export type Plan = {
  branch?: string
  commit?: string
  pullRequest?: number
} & (
  | { kind: Exclude<Work['kind'], 'fetch'>; meta: Record<string, string>; by?: string }
  | { kind: 'fetch'; hook: string }
  | { kind: null; outcome: string }
)

const nothing = (outcome: string) => ({ kind: null, outcome })

/** Decides what an event of the project's repository leads to. */
export function planOf(event: ForgeEvent, repository: KnownRepository): Plan {
  if (event.kind === 'ping') return nothing('The forge reaches this address, and the secret is right.')
  if (event.kind === 'ignored') return nothing(event.why)
  if (event.kind === 'branch_deleted') return { branch: event.branch, kind: 'remove', meta: {} }
  if (event.kind === 'push') return planOfPush(event, repository)
  return planOfPullRequest(event, repository)
}

type EventOf<K extends ForgeEvent['kind']> = Extract<ForgeEvent, { kind: K }>

function planOfPush(event: EventOf<'push'>, repository: KnownRepository): Plan {
  const { branch, commit } = event
  const at = { branch, commit }
  const { rootDirectory, buildDirectory, watch, skipUnchanged } = repository
  // Where all of the repository is deployed, what isn't watched counts only in the directory of the build.
  const directory = rootDirectory ?? (watch.length > 0 ? buildDirectory : '.')
  if (skipUnchanged && directory !== '.' && leavesAlone(event.changed, [directory, ...watch])) {
    const watched = watch.length > 0 ? ' or what is watched' : ''
    return { ...at, ...nothing(`Nothing in ${directory}${watched} has changed.`) }
  }
  return { ...at, kind: 'deploy', meta: { repository: event.repository.url } }
}

/** Whether it is certain that a push changes none of the files, and nothing in the directories. */
function leavesAlone(changed: string[] | undefined, places: string[]): boolean {
  if (changed === undefined || changed.length === 0) return false
  return !changed.some((path) => places.some((place) => path === place || path.startsWith(`${place}/`)))
}

function planOfPullRequest(event: EventOf<'pull_request'>, repository: KnownRepository): Plan {
  if (event.fork) return planOfFork(event, repository)
  const { branch, commit, number } = event
  const at = { branch, commit, pullRequest: number }
  if (event.action === 'closed') return { ...at, kind: 'close', meta: {} }
  const meta = { repository: event.repository.url, pull_request: String(number) }
  return { ...at, kind: 'deploy', meta }
}

/** Whoever has a fork chooses what its branch is called, so that nothing goes by that. */
function planOfFork(
  { action, commit, number, repository: { url } }: EventOf<'pull_request'>,
  { takesForks }: KnownRepository,
): Plan {
  const at = { commit, pullRequest: number }
  if (action === 'closed') return { ...at, kind: 'close_fork', meta: {} }
  if (!takesForks) return { ...at, ...nothing(forksRefused) }
  return { ...at, kind: 'deploy_fork', meta: { repository: url, pull_request: String(number) } }
}

/** Said of a pull request of a fork where the project takes none. */
export const forksRefused = 'Pull requests from forks are not deployed.'
