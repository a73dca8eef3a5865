/** The web address of a repository. */
import { parseUrl } from '../../lib/names/parse-url.ts'
import { repositoryPath } from '../../lib/names/repository-path.ts'

/** As git takes it for SSH: `git@example.com:team/site.git`; without a user, the host has a dot. */
const scpLike = /^(?:[^@/\s:]+@([\w.-]+)|([\w-]+\.[\w.-]+)):(?!\/\/|:)\/*(.+)$/

const protocols = new Set(['https:', 'http:', 'ssh:', 'git:', 'git+ssh:', 'git+https:'])

/**
 * The https address of the repository with a remote's URL, without the user, token and port that a clone has
 * there; undefined for one that has no such address, as a directory.
 */
export function repositoryAddress(remote: string): string | undefined {
  const [isScpLike, ofUser, alone, path] = scpLike.exec(remote) ?? []
  const text = isScpLike === undefined ? remote : `https://${ofUser ?? alone}/${path}`
  const url = parseUrl(text)
  if (!url || !protocols.has(url.protocol) || url.hostname === '') return undefined
  const isWeb = /^https?:$/.test(url.protocol)
  const address = new URL(`https://${isWeb ? url.host : url.hostname}`)
  address.pathname = repositoryPath(url)
  return address.pathname === '/' ? undefined : address.href
}
