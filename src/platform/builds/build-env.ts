/** The environment of a build: the project's variables for its target, and the facts of the deployment. */
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import { siteUrl } from '../projects/host-label.ts'

/** The variables of a build; those of the project can't override the facts. */
export function buildEnvironment(
  sitesUrl: string,
  { id, project, target, host, meta }: BuildJob,
  variables: Record<string, string>,
): Record<string, string> {
  const noted = Object.entries(meta).map(([key, value]) => [`SVC_META_${toName(key)}`, value])
  return {
    ...variables,
    ...Object.fromEntries(noted),
    CI: '1',
    SVC: '1',
    SVC_DEPLOYMENT_ID: id,
    SVC_PROJECT: project,
    SVC_TARGET: target,
    SVC_URL: siteUrl(sitesUrl, host),
  }
}

/** `commit-sha` becomes `COMMIT_SHA`: shells support no other names. */
function toName(key: string): string {
  return key.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}
