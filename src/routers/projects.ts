/** Projects. */
import { z } from 'zod'
import { pathProblem } from '../deployments/path.ts'
import { listProjectSummaries, projectSummarySchema } from '../observability/project-summaries.ts'
import { deleteProject } from '../projects/delete.ts'
import { projectNameSchema } from '../projects/name.ts'
import { putProject } from '../projects/put.ts'
import { getProject, listProjects } from '../projects/read.ts'
import { projectSchema, targetSchema } from '../projects/record.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf, projectReference } from './schemas.ts'

const tags = ['Projects']

const command = z.string().min(1).max(2_000)

const directory = z
  .string()
  .max(1_024)
  .refine(
    (path) => path === '.' || pathProblem(path) === undefined,
    'must be a relative path without . or .. segments',
  )

/** Changes of build settings: what is left out keeps its value, null goes back to the default. */
export const buildChanges = z.strictObject({
  install_command: command.nullable().optional(),
  build_command: command.nullable().optional(),
  output_directory: directory.nullable().optional(),
  root_directory: directory.nullable().optional(),
})

const envKey = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and _, and not begin with a digit')

const envChange = z
  .strictObject({
    key: envKey,
    value: z.string().max(65_536).nullable().meta({ description: 'null removes the variable' }),
    target: z.array(targetSchema).min(1).max(2).default(['production', 'preview']),
  })
  .meta({ examples: [{ key: 'API_BASE', value: 'https://api.example.com', target: ['production'] }] })

/** What `PUT /v1/projects/{project}` takes. */
export const putInput = z.strictObject({
  project: projectReference,
  name: projectNameSchema.optional().meta({ description: 'A new name' }),
  build: buildChanges.nullable().optional(),
  env: z
    .array(envChange)
    .max(200)
    .nullable()
    .optional()
    .meta({ description: 'Variables to set or remove; others stay. null removes all' }),
  protection: z
    .enum(['none', 'preview', 'all'])
    .nullable()
    .optional()
    .meta({ description: 'Which hosts require a credential. For owners' }),
  bypass_secret: z
    .string()
    .min(32)
    .max(1_000)
    .nullable()
    .optional()
    .meta({ description: 'Grants access to protected hosts as x-svc-bypass. Write-only. For owners' }),
  auto_promote: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'Whether production deployments go live automatically. For owners' }),
  preview_ttl_days: z
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .optional()
    .meta({ description: 'Older previews are deleted. For owners' }),
  spa: z.boolean().nullable().optional().meta({ description: 'Serves index.html for unknown paths' }),
  hsts: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'Tells browsers to use HTTPS alone for a year (Strict-Transport-Security)' }),
})

const listInput = z.strictObject({
  ...pageInput,
  q: z.string().max(100).optional().meta({ description: 'Only those whose name contains this' }),
})

export const projectsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/projects',
        tags,
        summary: 'List projects',
        description: 'By name.',
        successDescription: 'A page of projects',
      },
    })
    .input(listInput)
    .output(pageOf(projectSchema))
    .query(({ ctx: { services, principal }, input }) => listProjects(services, principal.teamId, input)),

  /** For overviews of many projects; RPC only. */
  summaries: procedure
    .input(listInput)
    .output(pageOf(projectSummarySchema))
    .query(({ ctx: { services, principal }, input }) =>
      listProjectSummaries(services, principal.teamId, input),
    ),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Get a project',
        description: 'With its settings, its production deployment and its domains; env has the keys only.',
        successDescription: 'The project',
      },
      reasons: ['project_not_found'],
    })
    .input(z.strictObject({ project: projectReference }))
    .output(projectSchema)
    .query(({ ctx: { services, principal }, input }) =>
      getProject(services, principal.teamId, input.project),
    ),

  put: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Create or configure a project',
        description:
          'Idempotent. An omitted field keeps its value, null clears it. By id, the project must exist. Some fields are for ' +
          'owners.',
        successDescription: 'The project',
      },
      reasons: ['role_required', 'project_not_found', 'name_in_use'],
    })
    .input(putInput)
    .output(projectSchema)
    .mutation(({ ctx, input: { project: reference, ...changes } }) =>
      putProject(ctx.services, ctx, reference, changes),
    ),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/projects/{project}',
        tags,
        summary: 'Delete a project',
        description: 'With its deployments, env and hosts; its domains are detached. For owners.',
        successDescription: 'The project was deleted',
      },
      reasons: ['project_not_found'],
    })
    .input(z.strictObject({ project: projectReference }))
    .output(deleted('project'))
    .mutation(({ ctx, input }) => deleteProject(ctx.services, ctx, input.project)),
})
