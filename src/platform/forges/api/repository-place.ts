/** Where the API of a forge has a repository, and how a token is sent there. */
import { invalidField } from '../../../lib/errors.ts'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { repositoryPath } from '../../../lib/names/repository-path.ts'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'

export type ApiPlace = {
  /** The address of the API. */
  base: string
  /** The address of the repository in it. */
  repository: string
  /** With the token. */
  headers: Record<string, string>
}

type Address = { provider: Forge; url: string; token: string }

/**
 * The API for the repository at a web address.
 * @throws AppError `invalid_input` for `url` or `token`.
 */
export function apiPlace({ provider, url, token }: Address): ApiPlace {
  // Anything else could end the header, and would be in the message of an error.
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalidField('token', 'should be ASCII without spaces')
  const { origin, host, names } = placeOf(url)
  if (provider === 'gitlab') {
    const base = `${origin}/api/v4`
    const repository = `${base}/projects/${encodeURIComponent(names.join('/'))}`
    return { base, repository, headers: gitlabHeaders(token) }
  }
  const [owner, name, ...others] = names
  if (owner === undefined || name === undefined || others.length > 0)
    throw invalidField('url', 'should end in the owner and the name of a repository')
  const path = `/repos/${owner}/${name}`
  if (provider === 'gitea') {
    const base = `${origin}/api/v1`
    return { base, repository: `${base}${path}`, headers: giteaHeaders(token) }
  }
  const base = host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`
  return { base, repository: `${base}${path}`, headers: githubHeaders(token) }
}

/** A name, which is never a way to another path. */
const namePattern = /^(?!\.{1,2}$)[\w.-]+$/

function placeOf(text: string): { origin: string; host: string; names: string[] } {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalidField('url', 'should be the https address of a repository, without a user or password')
  const path = repositoryPath(url)
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

/** Tokens of every kind are accepted so. */
function gitlabHeaders(token: string): Record<string, string> {
  return { accept: 'application/json', authorization: `Bearer ${token}` }
}
