/** What ends with a member who is removed, in words. */
import type { RouterOutputs } from '../../api/client/index.ts'

type Leaving = RouterOutputs['teams']['leaving']

/** The words for one, and for many. */
const kinds: { kind: keyof Leaving; one: string; many: string }[] = [
  { kind: 'keys', one: 'API key', many: 'API keys' },
  { kind: 'share_links', one: 'share link', many: 'share links' },
  { kind: 'deploy_hooks', one: 'deploy hook', many: 'deploy hooks' },
  { kind: 'trust_policies', one: 'trust policy', many: 'trust policies' },
  { kind: 'invitation_links', one: 'link of an invitation', many: 'links of invitations' },
  { kind: 'repositories', one: 'connection to a repository', many: 'connections to repositories' },
  { kind: 'builds', one: 'build that waits', many: 'builds that wait' },
]

/** A line for each kind of which there is any, with the names of some. */
export function leavingLines(leaving: Partial<Leaving>): string[] {
  return kinds.flatMap(({ kind, one, many }) => {
    const { count, names } = leaving[kind] ?? { count: 0, names: [] }
    if (count === 0) return []
    const more = count > names.length ? ', …' : ''
    return `${count} ${count === 1 ? one : many}: ${names.join(', ')}${more}`
  })
}
