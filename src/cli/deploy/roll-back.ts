/** Makes the deployment live again that was live before. */
import type { RouterOutputs } from '../../api/client/index.ts'
import { Failure } from '../command-failure.ts'
import type { Api } from '../connection/connect.ts'
import { everyPage } from '../connection/every-page.ts'
import { exitCodes } from '../exit-codes.ts'

export type Deployment = RouterOutputs['deployments']['get']

/**
 * Resolves to that deployment. `promote` is what makes any other live, for the message.
 * @throws Failure (5) where there is none; TRPCClientError where there is no such project.
 */
export async function rollBack(
  api: Api,
  project: string,
  promote = 'svc promote <deployment>',
): Promise<Deployment> {
  const candidate = await lastBefore(
    everyPage((cursor) => api.deployments.list.query({ project, state: 'ready', limit: 100, ...cursor })),
  )
  if (candidate) return api.deployments.promote.mutate({ deployment: candidate.id })
  // A project that isn't there has no deployments, either.
  const { name } = await api.projects.get.query({ project })
  throw new Failure(exitCodes.conflict, {
    reason: 'no_rollback',
    message: `${name} has no earlier deployment that was live. \`${promote}\` makes any other live.`,
  })
}

/**
 * The rollback candidate that was live last, of those that are older than the live deployment: what was
 * rolled back from stays away, however often that is repeated. `deployments` come in the order of their
 * creation, newest first.
 */
async function lastBefore(deployments: AsyncIterable<Deployment>): Promise<Deployment | undefined> {
  let last: Deployment | undefined
  for await (const each of deployments) {
    if (each.live) last = undefined
    else if (each.rollback_candidate && (each.live_since_ms ?? 0) > (last?.live_since_ms ?? 0)) last = each
  }
  return last
}
