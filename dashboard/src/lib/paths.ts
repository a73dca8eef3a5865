/** The paths of pages. */
const join = (...segments: string[]) => `/${segments.map(encodeURIComponent).join('/')}`

/** The page of the person's account: no team can have this name. */
export const accountPath = '/account'

/** A page of a team: `teamPath('acme', 'settings', 'keys')` is `/acme/~/settings/keys`. */
export function teamPath(team: string, ...rest: string[]): string {
  return rest.length === 0 ? join(team) : join(team, '~', ...rest)
}

/** A page of a project: `projectPath('acme', 'web', 'deployments')`. */
export function projectPath(team: string, project: string, ...rest: string[]): string {
  return join(team, project, ...rest)
}

/** The page of a deployment. */
export function deploymentPath(team: string, project: string, id: string): string {
  return projectPath(team, project, 'deployments', id)
}
