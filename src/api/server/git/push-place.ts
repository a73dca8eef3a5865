/** Where a push goes. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { gitVersion } from '../../../platform/git/run-git.ts'
import { projectNameSchema } from '../../../platform/projects/name.ts'
import { getProject, type KnownProject } from '../../../platform/projects/read-project.ts'
import type { ServerDeps } from '../deps.ts'

export type GitRoute = { Params: { team: string; repository: string }; Querystring: { service?: string } }

/** A project, which may not exist yet. */
export type Place = { teamId: string; name: string; project: KnownProject | undefined }

/**
 * The place that the path names.
 * @throws AppError `project_not_found`, the same for another team's and for what no project can be called;
 * `builds_not_available` where git is missing.
 */
export async function findPlace({ services }: ServerDeps, request: FastifyRequest<GitRoute>): Promise<Place> {
  if ((await gitVersion()) === undefined)
    throw new AppError(
      'builds_not_available',
      'git, or prlimit and setpriv (util-linux), are not installed on this server: nothing can be pushed.',
    )
  const { principal, params } = request
  const name = params.repository.replace(/\.git$/, '')
  if (!principal || params.team !== principal.teamSlug) throw unknownPlace(params.team, name)
  const { teamId } = principal
  const project = await getProject(services, principal, name).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'project_not_found') return undefined
    throw error
  })
  const mayBeMade = principal.projects === null && projectNameSchema.safeParse(name).success
  if (!project && !mayBeMade) throw unknownPlace(params.team, name)
  return { teamId, name: project?.name ?? name, project }
}

function unknownPlace(team: string, name: string): AppError {
  return new AppError('project_not_found', `There is no ${team}/${name} that this key may push to.`)
}
