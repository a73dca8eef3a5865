/** The environment of a build: the project's variables for its target, and the facts of the deployment. */
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import { deploymentFacts } from '../projects/deployment-facts.ts'

/** The variables of a build; those of the project can't override the facts. */
export function buildEnvironment(
  sitesUrl: string,
  job: BuildJob,
  variables: Record<string, string>,
): Record<string, string> {
  return { ...variables, ...deploymentFacts(sitesUrl, job), CI: '1' }
}
