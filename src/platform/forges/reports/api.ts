/**
 * Where the APIs of forges have statuses and comments.
 *
 * Sources: GitHub, "REST API endpoints for commit statuses" and "for issue comments"; Gitea's and Forgejo's
 * `/api/swagger`; GitLab, "Commits API" and "Notes API".
 */
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import type { ApiPlace } from '../api/repository-place.ts'
import type { ApiRequest } from '../api/send.ts'

/** The state of a commit. */
type CommitState = 'pending' | 'success' | 'failure'

export type CommitStatus = {
  commit: string
  state: CommitState
  /** For people; it is cut to 140 characters. */
  description: string
  targetUrl: string
  /** Which tells this status from those of others. */
  context: string
}

export type ReportApi = {
  setStatus(status: CommitStatus): ApiRequest
  /** Who the token is. */
  readUser(): ApiRequest
  /** The comments of a pull request, the oldest first; pages begin with 1. */
  listComments(number: number, page: number): ApiRequest
  createComment(number: number, text: string): ApiRequest
  editComment(number: number, comment: number, text: string): ApiRequest
  /** Whether a list has more pages than one. */
  isPaged: boolean
}

/** The comments on a page: as many as the forges give. */
export const pageLength = 100

/** GitHub refuses longer ones. */
const maxDescriptionLength = 140

/** The requests for the repository at `place`. */
export function reportApi(provider: Forge, place: ApiPlace): ReportApi {
  return provider === 'gitlab' ? gitlabApi(place) : githubLikeApi(place, provider === 'github')
}

function githubLikeApi({ base, repository }: ApiPlace, isPaged: boolean): ReportApi {
  const issues = `${repository}/issues`
  return {
    isPaged,
    setStatus: ({ commit, state, description, targetUrl, context }) => ({
      method: 'POST',
      url: `${repository}/statuses/${commit}`,
      body: { state, description: cut(description), target_url: targetUrl, context },
    }),
    readUser: () => ({ method: 'GET', url: `${base}/user` }),
    listComments: (number, page) => ({
      method: 'GET',
      url: `${issues}/${number}/comments${isPaged ? `?per_page=${pageLength}&page=${page}` : ''}`,
    }),
    createComment: (number, body) => ({
      method: 'POST',
      url: `${issues}/${number}/comments`,
      body: { body },
    }),
    editComment: (_number, comment, body) => ({
      method: 'PATCH',
      url: `${issues}/comments/${comment}`,
      body: { body },
    }),
  }
}

/** GitLab's words for states. */
const gitlabStates: Record<CommitState, string> = {
  pending: 'pending',
  success: 'success',
  failure: 'failed',
}

function gitlabApi({ base, repository: project }: ApiPlace): ReportApi {
  const notes = (number: number) => `${project}/merge_requests/${number}/notes`
  return {
    isPaged: true,
    setStatus: ({ commit, state, description, targetUrl, context }) => ({
      method: 'POST',
      url: `${project}/statuses/${commit}`,
      body: {
        state: gitlabStates[state],
        description: cut(description),
        target_url: targetUrl,
        name: context,
      },
    }),
    readUser: () => ({ method: 'GET', url: `${base}/user` }),
    listComments: (number, page) => ({
      method: 'GET',
      url: `${notes(number)}?sort=asc&order_by=created_at&per_page=${pageLength}&page=${page}`,
    }),
    createComment: (number, body) => ({ method: 'POST', url: notes(number), body: { body } }),
    editComment: (number, comment, body) => ({
      method: 'PUT',
      url: `${notes(number)}/${comment}`,
      body: { body },
    }),
  }
}

function cut(text: string): string {
  const characters = [...text]
  if (characters.length <= maxDescriptionLength) return text
  return `${characters.slice(0, maxDescriptionLength - 1).join('')}…`
}
