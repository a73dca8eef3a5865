/** A project as clients see it. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { address, timeMs } from '../../stores/db/record-fields.ts'
import { forges } from '../../stores/db/schema/project-repositories.ts'
import { settlers } from '../../stores/db/schema/projects.ts'
import { buildFields } from './build-fields.ts'
import { eachOf } from './field.ts'
import { fields } from './fields.ts'
import { repositoryFields } from './repository-fields.ts'
import { runtimeFields } from './runtime-fields.ts'

/** How a project is built. */
export const buildSettingsSchema = z.object(eachOf(buildFields, 'output')).meta({ id: 'BuildSettings' })

/** How the server of a project runs. */
const runtimeSettingsSchema = z.object(eachOf(runtimeFields, 'output')).meta({ id: 'RuntimeSettings' })

/** Which deployments something is for. */
export const targetSchema = z.enum(['production', 'preview'])

const branchSchema = z
  .object({
    name: z.string().meta({ examples: ['next'] }),
    url: address,
    deployment: idSchema('deployment').meta({ description: 'Its newest one that is ready' }),
  })
  .meta({ id: 'Branch' })

/** The fields of a project that is connected to no repository. */
export const withoutRepository = {
  provider: null,
  url: null,
  ...eachOf(repositoryFields, 'initial'),
  token_set: false,
  secret_set: false,
  hook_url: null,
  connected_by: null,
  connected_by_name: null,
  connected_by_role: null,
} as const

const gitSchema = z
  .object({
    production_branch: z.string().nullable().meta({
      description: 'Whose pushes go to production; null until one has, and once that is deleted',
    }),
    production_branch_by: z
      .enum(settlers)
      .nullable()
      .default(null)
      .meta({
        description:
          'Who settled it: an owner, the default branch of the repository at url, or the first push; ' +
          'null for what was settled before this was kept',
      }),
    provider: z.enum(forges).nullable().default(null),
    url: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The repository whose pushes are deployed; null where there is none' }),
    ...eachOf(repositoryFields, 'output'),
    token_set: z.boolean().default(false),
    secret_set: z.boolean().default(false),
    hook_url: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'Where the forge has to send pushes and pull requests' }),
    connected_by: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The owner who connected it, in whose name it deploys' }),
    connected_by_name: z.string().nullable().default(null),
    connected_by_role: z
      .enum(['owner', 'member'])
      .nullable()
      .default(null)
      .meta({ description: 'The role of that person now; null for who has left. The connection goes on' }),
  })
  .meta({ id: 'ProjectGit' })

const { protection, ...others } = eachOf(fields, 'output')

export const projectSchema = z
  .object({
    id: idSchema('project'),
    name: z.string().meta({ examples: ['web'] }),
    build: buildSettingsSchema,
    env: z
      .array(
        z.object({
          key: z.string(),
          target: z.array(targetSchema),
          branch: z
            .string()
            .nullable()
            .default(null)
            .meta({ description: 'The only one whose previews have the value' }),
          updated_ms: timeMs,
        }),
      )
      .meta({ description: 'The variables, an entry for each value; values are write-only' }),
    protection,
    bypass_set: z.boolean(),
    password_set: z.boolean().default(false),
    ...others,
    runtime: runtimeSettingsSchema.default(eachOf(runtimeFields, 'initial')),
    git: gitSchema.default({ production_branch: null, production_branch_by: null, ...withoutRepository }),
    production_url: address,
    production_deployment: idSchema('deployment').nullable(),
    domains: z
      .array(z.string())
      .meta({ description: 'The names of the domains attached to it, verified or not' }),
    branches: z
      .array(branchSchema)
      .optional()
      .meta({ description: 'The branches with an address, newest first, at most 200. Left out in lists' }),
    created_ms: timeMs,
    updated_ms: timeMs,
  })
  .meta({ id: 'Project' })

export type ProjectRecord = z.infer<typeof projectSchema>
