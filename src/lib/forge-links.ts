/** Where the commit and the pull request of a deployment are at the forge of its repository. */
import { parseUrl } from './names/parse-url.ts'
import { repositoryPath } from './names/repository-path.ts'

type Links = { commit: string | undefined; pullRequest: string | undefined }

type Forge = { commit: string; pullRequest?: string }

/** By the host of a repository. */
const forges: [host: RegExp, forge: Forge][] = [
  [/^github\.com$/, { commit: 'commit', pullRequest: 'pull' }],
  [/^gitlab\./, { commit: '-/commit', pullRequest: '-/merge_requests' }],
  [/^bitbucket\.org$/, { commit: 'commits', pullRequest: 'pull-requests' }],
  [/^(codeberg\.org$|gitea\.|forgejo\.)/, { commit: 'commit', pullRequest: 'pulls' }],
  [/^dev\.azure\.com$/, { commit: 'commit', pullRequest: 'pullrequest' }],
]

/** The forge at an unknown host, with the path of commits that all but Bitbucket understand. */
const anyForge: Forge = { commit: 'commit' }

/**
 * The addresses for a deployment's metadata, as far as it says enough: `repository` is an https address,
 * `commit` a digest in hex, `pull_request` a number. They are made of these alone, whoever wrote the rest.
 */
export function forgeLinks(meta: Readonly<Record<string, string>>): Links {
  const repository = repositoryOf(meta.repository)
  if (!repository) return { commit: undefined, pullRequest: undefined }
  const [, forge] = forges.find(([host]) => host.test(repository.hostname)) ?? [undefined, anyForge]
  const at = (place: string | undefined, name: string | undefined) =>
    place !== undefined && name !== undefined ? `${repository.href}/${place}/${name}` : undefined
  return {
    commit: at(forge.commit, matching(/^[0-9a-f]{7,64}$/, meta.commit)),
    pullRequest: at(forge.pullRequest, matching(/^[1-9]\d{0,8}$/, meta.pull_request)),
  }
}

function repositoryOf(text = ''): { hostname: string; href: string } | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  const path = repositoryPath(url)
  return path === '' ? undefined : { hostname: url.hostname, href: `${url.origin}${path}` }
}

function matching(pattern: RegExp, text: string | undefined): string | undefined {
  return text !== undefined && pattern.test(text) ? text : undefined
}
