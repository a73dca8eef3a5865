/** The inputs of requests about projects. */
import { z } from 'zod'
import { secretField } from '../../lib/secret.ts'
import { pageInput } from '../../stores/db/page-schema.ts'
import { forges } from '../../stores/db/schema/project-repositories.ts'
import { maxPasswordLength } from '../people/password.ts'
import { buildFields } from './build-fields.ts'
import { eachOf } from './field.ts'
import { fields } from './fields.ts'
import { projectNameSchema } from './name.ts'
import { targetSchema } from './project-output.ts'
import { projectReference } from './reference.ts'
import { repositoryFields } from './repository-fields.ts'
import { runtimeFields } from './runtime-fields.ts'

const minSitePasswordLength = 8

/** Changes of build settings: what is left out keeps its value, null goes back to the default. */
export const buildChanges = z.strictObject(eachOf(buildFields, 'input'))

/** Changes of the settings of one deployment, which has a server where `start` says one. */
export const deploymentBuildChanges = buildChanges.extend({
  start: fields.start.schema
    .nullable()
    .optional()
    .meta({ description: 'The command that starts its server; null: it finds out by itself' }),
})

const runtimeChanges = z.strictObject(eachOf(runtimeFields, 'input'))

/** The name of a branch of a repository. */
export const branchName = z.string().min(1).max(250)

const envKey = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and _, and not begin with a digit')

const envChange = z
  .strictObject({
    key: envKey,
    value: secretField(z.string().max(65_536).nullable(), { description: 'null removes the variable' }),
    target: z
      .array(targetSchema)
      .min(1)
      .max(2)
      .optional()
      .meta({ description: 'production and preview if omitted; with `branch`, preview' }),
    branch: branchName
      .optional()
      .meta({ description: 'Only for previews of this branch, where it takes the place of other values' }),
  })
  .meta({ examples: [{ key: 'API_BASE', value: 'https://api.example.com', target: ['production'] }] })

const gitChanges = z.strictObject({
  production_branch: branchName
    .nullable()
    .optional()
    .meta({
      description:
        'Whose pushes go to production; null: the default branch of the repository at url, ' +
        'or without one `main` or the first that is pushed',
    }),
  provider: z
    .enum(forges)
    .optional()
    .meta({ description: 'The kind of forge, where its host does not say it; Forgejo is gitea' }),
  url: z
    .string()
    .max(500)
    .nullable()
    .optional()
    .meta({
      description: 'The address of a repository whose pushes are deployed; null disconnects it',
      examples: ['https://github.com/acme/web'],
    }),
  token: secretField(z.string().min(1).max(1_000).nullable().optional(), {
    description: 'Reads the repository, if it is private. Write-only; ends when url changes',
  }),
  secret: secretField(z.string().min(16).max(1_000).nullable().optional(), {
    description: 'Signs what the forge sends to hook_url. Write-only; ends when url changes',
  }),
  ...eachOf(repositoryFields, 'input'),
})

const { protection, ...others } = eachOf(fields, 'input')

/** The settable fields of a project; an omitted one keeps its value, null restores its default. */
export const putProjectInput = z.strictObject({
  project: projectReference,
  name: projectNameSchema.optional().meta({ description: 'A new name' }),
  build: buildChanges.nullable().optional(),
  env: z
    .array(envChange)
    .max(200)
    .nullable()
    .optional()
    .meta({ description: 'Variables to set or remove; others stay. null removes all' }),
  protection,
  bypass_secret: secretField(z.string().min(32).max(1_000).nullable().optional(), {
    description: 'Grants access to protected hosts as x-svc-bypass. Write-only. For owners',
  }),
  password: secretField(z.string().min(minSitePasswordLength).max(maxPasswordLength).nullable().optional(), {
    description: 'Opens protected hosts in a browser. Write-only. For owners',
  }),
  ...others,
  runtime: runtimeChanges
    .nullable()
    .optional()
    .meta({ description: 'How its server runs. For owners, but health_path' }),
  git: gitChanges
    .nullable()
    .optional()
    .meta({ description: 'Branches, and the repository that pushes come from. For owners' }),
})

export const listProjectsInput = z.strictObject({
  ...pageInput,
  q: z.string().max(100).optional().meta({ description: 'Only those whose name contains this' }),
})

/** Changes of a project's branches and repository. */
export type GitChanges = z.infer<typeof gitChanges>

/** A value of a variable for some targets; null removes the variable from them. */
export type EnvChange = z.infer<typeof envChange>

/** The changes of `putProjectInput`. */
export type ProjectChanges = Omit<z.infer<typeof putProjectInput>, 'project'>

export type ListProjects = z.infer<typeof listProjectsInput>
