/** The branch that a job of a CI system runs for, by the claims of its identity token. */
import type { JWTPayload } from 'jose'

const heads = 'refs/heads/'

/** Pipelines of merge requests, whose tokens have the name of the source branch as if it were pushed. */
const pullRequestSources: readonly unknown[] = ['merge_request_event', 'external_pull_request_event']

/**
 * The branch; null for a tag, a pull request, and a token that says nothing of a branch. GitHub's `ref`, and
 * that of Gitea and Forgejo, is a full one (`refs/heads/main`, `refs/pull/7/merge`); GitLab's is a name
 * beside `ref_type`, and since 16.0 a full one is in `ref_path`, which no branch can be named for.
 *
 * Sources: GitHub, "OpenID Connect reference"; GitLab, "OpenID Connect Authentication Using ID Tokens".
 */
export function branchOfRef(claims: JWTPayload): string | null {
  const { ref, ref_type: type, ref_path: path, pipeline_source: source } = claims
  if (pullRequestSources.includes(source) || (type !== undefined && type !== 'branch')) return null
  const isGitlab = claims['project_path'] !== undefined
  if (isGitlab && path === undefined) return type === 'branch' ? nameOf(ref) : null
  const full = nameOf(isGitlab ? path : ref)
  return full?.startsWith(heads) ? nameOf(full.slice(heads.length)) : null
}

function nameOf(text: unknown): string | null {
  return typeof text === 'string' && text !== '' ? text : null
}
