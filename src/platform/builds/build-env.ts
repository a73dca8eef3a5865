/** The environment of a build: the project's variables for its target, and the facts of the deployment. */
import type { BuildJob } from '../deployments/queued/claim-build.ts'
import { deploymentFacts } from '../projects/deployment-facts.ts'

/** Variables by which frameworks build a server that has its packages in it. */
const complete = { NEXT_PRIVATE_STANDALONE: '1' }

/** The variables of a build; those of the project can't override the facts. */
export function buildEnvironment(
  sitesUrl: string,
  job: BuildJob,
  variables: Record<string, string>,
): Record<string, string> {
  // Another command may be for another output: `next start` is.
  const isOpen = !job.build.start || job.build.start.includes('standalone')
  return { ...(isOpen && complete), ...variables, ...deploymentFacts(sitesUrl, job), CI: '1' }
}
