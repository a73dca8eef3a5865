/** Projects. */
import { z } from 'zod'
import {
  listProjectSummaries,
  listSummariesInput,
  projectSummarySchema,
} from '../../platform/observability/project-summaries.ts'
import { deleteProject } from '../../platform/projects/delete-project.ts'
import { listProjectsInput, putProjectInput } from '../../platform/projects/project-input.ts'
import { projectSchema } from '../../platform/projects/project-output.ts'
import { putProject } from '../../platform/projects/put-project.ts'
import { getProject, listProjects } from '../../platform/projects/read-project.ts'
import { projectReference } from '../../platform/projects/reference.ts'
import { pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { projectExample, putProjectExample } from './examples/projects.ts'
import { pageMeta } from './page-meta.ts'

export const projectsTag = {
  name: 'Projects',
  description: 'Sites: host names, settings, the production deployment.',
}

const tags = [projectsTag.name]

export const projectsRouter = router({
  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      ...pageMeta({
        of: 'projects',
        path: '/v1/projects',
        tags,
        summary: 'List projects',
        description: 'By name.',
        example: projectExample,
      }),
    })
    .input(listProjectsInput)
    .output(pageSchema(projectSchema))
    .query(({ ctx: { services, principal }, input }) => listProjects(services, principal, input)),

  /** For overviews of many projects; RPC only. */
  summaries: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(listSummariesInput)
    .output(pageSchema(projectSummarySchema))
    .query(({ ctx: { services, principal }, input }) => listProjectSummaries(services, principal, input)),

  get: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      openapi: {
        method: 'GET',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Get a project',
        description: 'With its settings, its production deployment and its domains; env has the keys only.',
        successDescription: 'The project',
      },
      reasons: ['project_not_found'],
      example: { response: projectExample },
    })
    .input(z.strictObject({ project: projectReference }))
    .output(projectSchema)
    .query(({ ctx: { services, principal }, input }) => getProject(services, principal, input.project)),

  put: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      openapi: {
        method: 'PUT',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Create or configure a project',
        description:
          'Idempotent. An omitted field keeps its value, null clears it. ' +
          'By id, the project must exist. Some fields are for owners; members limited to some projects ' +
          'change those, without renaming them, and create none.',
        successDescription: 'The project',
      },
      reasons: ['role_required', 'project_not_found', 'name_in_use', 'no_room'],
      example: { request: putProjectExample, response: projectExample },
    })
    .input(putProjectInput)
    .output(projectSchema)
    .mutation(({ ctx, input: { project: reference, ...changes } }) =>
      putProject(ctx.services, ctx, reference, changes),
    ),

  delete: procedure
    .meta({
      role: 'owner',
      openapi: {
        method: 'DELETE',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Delete a project',
        description: 'With its deployments, env and hosts; its domains are detached. For owners.',
        successDescription: 'The project was deleted',
      },
      reasons: ['project_not_found'],
      example: { response: { id: projectExample.id, deleted: true } },
    })
    .input(z.strictObject({ project: projectReference }))
    .output(deleted('project'))
    .mutation(({ ctx, input }) => deleteProject(ctx.services, ctx, input.project)),
})
