/** The facts of a deployment that its builds and servers read from their environment. */
import { siteUrl } from './host-label.ts'

/** A deployment, its host being the label of the site that it is for. */
type Deployed = {
  id: string
  project: string
  target: string
  host: string
  meta: Record<string, string>
}

/** Variables of the platform's own, by name; those of a project can't override them. */
export function deploymentFacts(
  sitesUrl: string,
  { id, project, target, host, meta }: Deployed,
): Record<string, string> {
  const noted = Object.entries(meta).map(([key, value]) => [`SVC_META_${toName(key)}`, value])
  return {
    ...Object.fromEntries(noted),
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
