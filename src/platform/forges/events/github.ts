/**
 * Events of GitHub (docs.github.com, "Webhook events and payloads"), and of Gitea and Forgejo, whose payloads
 * follow them (docs.gitea.com, "Webhooks").
 */
import { z } from 'zod'
import type { ForgeEvent, ForgeRepository, PullRequestAction } from './event.ts'
import {
  branchOfRefSchema,
  branchSchema,
  changedPaths,
  commitSchema,
  defaultBranchSchema,
  httpsUrls,
  idSchema,
  isNoCommit,
  numberSchema,
  pushedCommitSchema,
  textSchema,
  toLine,
  urlSchema,
} from './fields.ts'
import { ignoredAction, ignoredEvent, ignoredRef } from './ignored.ts'

const repositorySchema = z
  .object({
    id: idSchema,
    full_name: z.string().min(1),
    html_url: urlSchema,
    clone_url: urlSchema,
    default_branch: defaultBranchSchema,
  })
  .transform(
    ({ id, full_name, html_url, clone_url, default_branch: defaultBranch }): ForgeRepository => ({
      id,
      urls: httpsUrls([html_url, clone_url]),
      name: toLine(full_name) ?? '',
      url: html_url,
      defaultBranch,
    }),
  )

const pushSchema = z.object({
  ref: branchOfRefSchema,
  before: commitSchema,
  after: commitSchema,
  /** GitHub alone says so. */
  forced: z.boolean().optional(),
  commits: z.array(pushedCommitSchema).nullish(),
  /** Gitea's, of which `commits` are the newest. */
  total_commits: z.int().optional(),
  head_commit: pushedCommitSchema.nullish(),
  pusher: z.object({ name: textSchema, login: textSchema }).nullish(),
  repository: repositorySchema,
})

const deleteSchema = z.object({ ref: branchSchema, repository: repositorySchema })

/** Where the branch is gone, or there never was one, Gitea's `ref` is the pull request's own. */
const ownRefPrefix = 'refs/'

const headSchema = z.object({
  ref: branchSchema,
  /** The branch, or `owner:branch` at GitHub; of a pull request that never had one, nothing. */
  label: textSchema,
  sha: commitSchema,
  repo: z.object({ id: idSchema }).nullish(),
})

const pullSchema = z.object({
  action: z.string(),
  number: numberSchema,
  pull_request: z.object({
    title: z.string(),
    user: z.object({ login: textSchema }).nullish(),
    /** Gitea's: 1 for one that was pushed to `refs/for`, which takes no right to write. */
    flow: z.int().optional(),
    head: headSchema,
    base: z.object({ ref: branchSchema }),
  }),
  repository: repositorySchema,
})

const actions: Record<string, PullRequestAction> = {
  opened: 'opened',
  synchronize: 'updated',
  // Gitea's word for the same.
  synchronized: 'updated',
  reopened: 'reopened',
  closed: 'closed',
}

/** The event in the parsed body of a delivery. @throws ZodError where it isn't what the forge documents. */
export function readGithubEvent(event: string, payload: unknown): ForgeEvent {
  switch (event) {
    case 'ping':
      return { kind: 'ping' }
    case 'push':
      return readPush(pushSchema.parse(payload))
    case 'delete': {
      if (z.object({ ref_type: z.string() }).parse(payload).ref_type !== 'branch') return ignoredRef()
      const { ref: branch, repository } = deleteSchema.parse(payload)
      return { kind: 'branch_deleted', repository, branch }
    }
    case 'pull_request': {
      const { action } = z.object({ action: z.string() }).parse(payload)
      const known = Object.hasOwn(actions, action) ? actions[action] : undefined
      return known ? readPull(pullSchema.parse(payload), known) : ignoredAction(action)
    }
    default:
      return ignoredEvent(event)
  }
}

function readPush(push: z.infer<typeof pushSchema>): ForgeEvent {
  const { ref: branch, after, repository, head_commit: head, pusher } = push
  if (branch === undefined) return ignoredRef()
  if (isNoCommit(after)) return { kind: 'branch_deleted', repository, branch }
  return {
    kind: 'push',
    repository,
    branch,
    commit: after,
    message: toLine(head?.message),
    author: toLine(head?.author?.name),
    pusher: toLine(pusher?.name) ?? toLine(pusher?.login),
    changed: changedBy(push),
  }
}

/** GitHub's older servers list this many commits at most. */
const maxListed = 20

/** The most files of a commit that an event lists. */
const maxListedFiles = 3_000

function changedBy({ before, after, forced, commits, total_commits: total }: z.infer<typeof pushSchema>) {
  const listed = commits ?? []
  const isComplete =
    total === undefined ? forced === false && listed.length < maxListed : total <= listed.length
  const changed = isComplete && !forced ? changedPaths({ before, after, commits: listed }) : undefined
  return changed && changed.length < maxListedFiles ? changed : undefined
}

function readPull(
  { number, pull_request: pull, repository }: z.infer<typeof pullSchema>,
  action: PullRequestAction,
): ForgeEvent {
  const { head, base, flow, title, user } = pull
  const isOwnRef = head.ref.startsWith(ownRefPrefix)
  const label = isOwnRef ? branchSchema.safeParse(head.label).data : undefined
  const isWithoutBranch = isOwnRef && (label === undefined || action !== 'closed')
  return {
    kind: 'pull_request',
    repository,
    action,
    number,
    title: toLine(title) ?? '',
    author: toLine(user?.login),
    branch: label ?? head.ref,
    base: base.ref,
    commit: head.sha,
    fork: head.repo?.id !== repository.id || isWithoutBranch || flow === 1,
  }
}
