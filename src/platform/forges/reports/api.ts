/** Where the APIs of forges have statuses and comments. */
import { invalidField } from '../../../lib/errors.ts'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'

/** Of a commit. */
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

export type ApiRequest = { method: 'GET' | 'POST' | 'PUT' | 'PATCH'; url: string; body?: unknown }

export type ForgeApi = {
  headers: Record<string, string>
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

/** Of comments on a page, as many as the forges give. */
export const pageLength = 100

/** GitHub refuses longer ones. */
const maxDescriptionLength = 140

type Address = { provider: Forge; url: string; token: string }

/**
 * The API for the repository at a web address.
 *
 * Sources: GitHub, "REST API endpoints for commit statuses" and "for issue comments"; Gitea's and Forgejo's
 * `/api/swagger`; GitLab, "Commits API" and "Notes API".
 * @throws AppError `invalid_input` for `url` or `token`.
 */
export function forgeApi({ provider, url, token }: Address): ForgeApi {
  // Anything else could end the header, and would be in the message of an error.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalidField('token', 'should be ASCII without spaces')
  const { origin, host, names } = placeOf(url)
  if (provider === 'gitlab') return gitlabApi(`${origin}/api/v4`, names, token)
  const [owner, repository, ...others] = names
  if (owner === undefined || repository === undefined || others.length > 0)
    throw invalidField('url', 'should end in the owner and the name of a repository')
  const path = `/repos/${owner}/${repository}`
  if (provider === 'gitea')
    return githubLikeApi({ base: `${origin}/api/v1`, path, isPaged: false, headers: giteaHeaders(token) })
  const base = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
  return githubLikeApi({ base, path, isPaged: true, headers: githubHeaders(token) })
}

/** A name, which is never a way to another path. */
const namePattern = /^(?!\.{1,2}$)[\w.-]+$/

function placeOf(text: string): { origin: string; host: string; names: string[] } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalidField('url', 'should be the https address of a repository, without a user or password')
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  const names = path.slice(1).split('/')
  if (names.length < 2 || !names.every((name) => namePattern.test(name)))
    throw invalidField('url', 'should be the address of a repository')
  return { origin: url.origin, host: url.host, names }
}

function githubHeaders(token: string): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  }
}

function giteaHeaders(token: string): Record<string, string> {
  return { accept: 'application/json', authorization: `token ${token}` }
}

type GithubLike = { base: string; path: string; isPaged: boolean; headers: Record<string, string> }

function githubLikeApi({ base, path, isPaged, headers }: GithubLike): ForgeApi {
  const issues = `${base}${path}/issues`
  return {
    headers,
    isPaged,
    setStatus: ({ commit, state, description, targetUrl, context }) => ({
      method: 'POST',
      url: `${base}${path}/statuses/${commit}`,
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

function gitlabApi(base: string, names: string[], token: string): ForgeApi {
  const project = `${base}/projects/${encodeURIComponent(names.join('/'))}`
  const notes = (number: number) => `${project}/merge_requests/${number}/notes`
  return {
    // Tokens of every kind are accepted so.
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
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
