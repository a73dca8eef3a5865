/** The words for what ends with a member, and for what goes on, in the command and the dashboard. */

/** For one, and for many, by the fields of what `teams.leaving` returns, in the order to show them. */
export const leavingWords = [
  { kind: 'keys', one: 'API key', many: 'API keys' },
  { kind: 'share_links', one: 'share link', many: 'share links' },
  { kind: 'deploy_hooks', one: 'deploy hook', many: 'deploy hooks' },
  { kind: 'trust_policies', one: 'trust policy', many: 'trust policies' },
  { kind: 'invitation_links', one: 'link of an invitation', many: 'links of invitations' },
  { kind: 'builds', one: 'build that has not ended', many: 'builds that have not ended' },
] as const

/** The same for what goes on: a connection is its project's, which deploys whatever becomes of people. */
export const stayingWords = [
  { kind: 'repositories', one: 'connection to a repository', many: 'connections to repositories' },
] as const
