/** The kinds of forges that svc works with. */

/** `gitea` is Forgejo, too. */
export type Provider = 'github' | 'gitlab' | 'gitea'

export const providerNames: Record<Provider, string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
}
