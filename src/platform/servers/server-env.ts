/** The environment of a server: the project's variables for its target, and what the platform says. */
import { serverPort } from '../projects/server-port.ts'

/** Any address of the server's own network. */
const anyAddress = '0.0.0.0'

/**
 * The variables of a server: those of the project come before those of its framework, `own`, but can't
 * override the `facts` of its deployment, from `deploymentFacts`, nor where it listens.
 */
export function serverEnvironment(
  facts: Record<string, string>,
  variables: Record<string, string>,
  own: Record<string, string> = {},
): Record<string, string> {
  return {
    NODE_ENV: 'production',
    ...own,
    ...variables,
    ...facts,
    PORT: `${serverPort}`,
    HOST: anyAddress,
    HOSTNAME: anyAddress,
  }
}
