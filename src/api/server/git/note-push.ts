/** The lines about a push in the log of its project, besides what became of each deployed branch. */
import { type GitLine, logGit } from '../../../platform/git/log-lines.ts'
import type { Received } from '../../../platform/git/receive-pack.ts'
import type { ServerDeps } from '../deps.ts'
import type { Place } from './push-place.ts'

const event = 'push'

/** Adds lines to the log of the project, where there is one. */
export async function logPush(
  { store, nowMs }: ServerDeps['services'],
  { teamId, project }: Place,
  lines: GitLine[],
): Promise<void> {
  if (!project) return
  await logGit(store.db, { teamId, projectId: project.id }, lines, nowMs())
}

/** The line for a push that was refused as a whole. */
export function refusedPush(outcome: string): GitLine {
  return { level: 'warn', came: { event }, outcome: `Refused. ${outcome}` }
}

/** The line for a branch. `outcome` is a sentence. */
export function pushedBranch(
  { name, commit }: { name: string; commit: string },
  rest: Pick<GitLine, 'level' | 'outcome' | 'deploymentId'>,
): GitLine {
  return { came: { event, branch: name, commit }, ...rest }
}

type Refs = {
  received: Received
  /** The branches that were to be deployed. */
  deployed: readonly { ref: string; name: string; commit: string }[]
  /** The names of those that were deleted. */
  deleted: readonly string[]
  /** Why those stay all the same. */
  notDeleted: string | undefined
}

/** The lines for what git itself refused, for branches that were deleted, and for other refs. */
export function pushedRefs({ received, deployed, deleted, notDeleted }: Refs): GitLine[] {
  if (received.refused !== undefined) return [refusedPush(`The pack was not taken: ${received.refused}.`)]
  const refused = deployed.flatMap((branch) => {
    const reason = received.refs.get(branch.ref)
    if (reason === undefined) return []
    return [pushedBranch(branch, { level: 'warn', outcome: `Refused: ${reason}.` })]
  })
  const others = [...received.refs].filter(([ref]) => !ref.startsWith('refs/heads/')).length
  return [
    ...refused,
    ...(deleted.length > 0 ? [deletedBranches(deleted, notDeleted)] : []),
    ...(others > 0 ? [otherRefs(others)] : []),
  ]
}

function deletedBranches(names: readonly string[], notDeleted: string | undefined): GitLine {
  const [branch] = names
  if (notDeleted !== undefined) {
    const what = names.length === 1 ? 'The branch was' : `${names.length} branches were`
    const came = { event, ...(names.length === 1 && { branch }) }
    return { level: 'warn', came, outcome: `${what} not deleted: ${notDeleted}.` }
  }
  return names.length === 1
    ? { level: 'info', came: { event, branch }, outcome: 'The branch was deleted, and its address with it.' }
    : {
        level: 'info',
        came: { event },
        outcome: `${names.length} branches were deleted, with their addresses.`,
      }
}

function otherRefs(count: number): GitLine {
  const what = count === 1 ? 'One ref that is no branch is' : `${count} refs that are no branches are`
  return { level: 'info', came: { event }, outcome: `${what} not deployed.` }
}
