/** Who issues identity tokens to jobs of CI systems. */

type KnownIssuer = {
  name: string /** The claim that tells one repository from all others, for ever. */
  pin: string
}

/**
 * Those that every node trusts, by their address. A policy must name their claim `pin`: names of repositories
 * can be given to somebody else, and without it every repository there would be trusted.
 */
const known: Partial<Record<string, KnownIssuer>> = {
  'https://token.actions.githubusercontent.com': { name: 'GitHub Actions', pin: 'repository_id' },
  'https://gitlab.com': { name: 'GitLab', pin: 'project_id' },
}

/** The addresses that a node trusts, with those of its settings. */
export function trustedIssuers(added: readonly string[]): string[] {
  return [...new Set([...Object.keys(known), ...added])]
}

/** The name of an issuer in deployments and in lines of the audit log. */
export function issuerName(issuer: string): string {
  return known[issuer]?.name ?? new URL(issuer).host
}

/** The claim that each policy for this issuer must name; undefined where only the operator knows. */
export function pinOf(issuer: string): string | undefined {
  return known[issuer]?.pin
}
