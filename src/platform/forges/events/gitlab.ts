/** Events of GitLab (docs.gitlab.com, "Webhook events"). */
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
import { ignoredAction, ignoredEmpty, ignoredEvent, ignoredRef } from './ignored.ts'

const projectSchema = z
  .object({
    id: idSchema,
    path_with_namespace: z.string().min(1),
    web_url: urlSchema,
    git_http_url: urlSchema,
    default_branch: defaultBranchSchema,
  })
  .transform(
    ({ id, path_with_namespace: path, web_url, git_http_url, default_branch }): ForgeRepository => ({
      id,
      urls: httpsUrls([web_url, git_http_url]),
      name: toLine(path) ?? '',
      url: web_url,
      defaultBranch: default_branch,
    }),
  )

const pushSchema = z.object({
  ref: branchOfRefSchema,
  before: commitSchema,
  after: commitSchema,
  user_name: textSchema,
  project: projectSchema,
  /** The newest of them. */
  commits: z.array(pushedCommitSchema).nullish(),
  total_commits_count: z.int().nonnegative(),
})

const mergeRequestSchema = z.object({
  user: z.object({ id: idSchema.optional(), name: textSchema }).nullish(),
  project: projectSchema,
  object_attributes: z.object({
    iid: numberSchema,
    title: z.string(),
    author_id: idSchema.nullish(),
    source_branch: branchSchema,
    target_branch: branchSchema,
    source_project_id: idSchema.nullish(),
    target_project_id: idSchema,
    last_commit: z.object({ id: commitSchema }).nullish(),
  }),
})

/** Fields that are read before it is known whether the rest matters. Tests of a webhook have no action. */
const actionSchema = z.object({
  object_attributes: z.object({ action: z.string().optional(), oldrev: z.string().nullish() }),
})

const actions: Record<string, PullRequestAction> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  merge: 'closed',
}

/** The event in the parsed body of a delivery. @throws ZodError where it isn't what GitLab documents. */
export function readGitlabEvent(event: string, payload: unknown): ForgeEvent {
  switch (event) {
    case 'Push Hook':
      return readPush(pushSchema.parse(payload))
    case 'Tag Push Hook':
      return ignoredRef()
    case 'Merge Request Hook': {
      const { action = 'test', oldrev } = actionSchema.parse(payload).object_attributes
      const known = action === 'update' && oldrev ? 'updated' : actionOf(action)
      return known ? readMergeRequest(mergeRequestSchema.parse(payload), known) : ignoredAction(action)
    }
    default:
      return ignoredEvent(event)
  }
}

function actionOf(action: string): PullRequestAction | undefined {
  return Object.hasOwn(actions, action) ? actions[action] : undefined
}

function readPush(push: z.infer<typeof pushSchema>): ForgeEvent {
  const { ref: branch, before, after, project: repository, total_commits_count: total } = push
  if (branch === undefined) return ignoredRef()
  if (isNoCommit(after)) return { kind: 'branch_deleted', repository, branch }
  const commits = push.commits ?? []
  const head = commits.find(({ id }) => id === after)
  // A file that was moved is listed as added, without the path that it had.
  const isComplete = total <= commits.length && commits.every(({ added }) => !added?.length)
  return {
    kind: 'push',
    repository,
    branch,
    commit: after,
    message: toLine(head?.message),
    author: toLine(head?.author?.name),
    pusher: toLine(push.user_name),
    changed: isComplete ? changedPaths({ before, after, commits }) : undefined,
  }
}

function readMergeRequest(
  { user, project: repository, object_attributes: request }: z.infer<typeof mergeRequestSchema>,
  action: PullRequestAction,
): ForgeEvent {
  const { source_project_id: from, target_project_id: into, last_commit: commit } = request
  if (!commit) return ignoredEmpty()
  // The payload has who did this, and only the number of who opened it.
  const isByAuthor = user?.id !== undefined && user.id === request.author_id
  return {
    kind: 'pull_request',
    repository,
    action,
    number: request.iid,
    title: toLine(request.title) ?? '',
    author: isByAuthor ? toLine(user?.name) : undefined,
    branch: request.source_branch,
    base: request.target_branch,
    commit: commit.id,
    fork: from !== into || from !== repository.id,
  }
}
