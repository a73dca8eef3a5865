/** A deployment as clients see it. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { address, integer, timeMs } from '../../stores/db/record-fields.ts'
import { buildSettingsSchema, targetSchema } from '../projects/project-output.ts'
import { warningSchema } from '../sites/warnings/warning.ts'
import { deploymentServerSchema } from './server-state.ts'
import { sourceSchema } from './source.ts'
import { stateSchema } from './state.ts'

/** Where the bytes of a digest are uploaded. */
export const missingUploadSchema = z.object({
  sha256: z.string(),
  upload_url: z.url(),
  direct: z
    .object({ url: z.url(), headers: z.record(z.string(), z.string()) })
    .optional()
    .meta({
      description:
        'With direct_uploads: another place to PUT the bytes, with these headers, that may be closer',
    }),
})

export type MissingUpload = z.infer<typeof missingUploadSchema>

/** The lines of a log that say why its build failed. */
const errorExcerpt = z.array(z.string()).meta({
  description:
    'The lines of its log that say why, at most 10 of at most 500 characters, without the values of ' +
    'variables; left out where there are none',
})

const deploymentBuildSchema = buildSettingsSchema
  .extend({
    start: z.string().nullable().default(null).meta({
      description: 'The command that starts its server, as a setting says it; null where none does',
    }),
  })
  .meta({ id: 'DeploymentBuild' })

export const deploymentSchema = z
  .object({
    id: idSchema('deployment'),
    project: z.string().meta({ description: "The project's name" }),
    target: targetSchema,
    state: stateSchema,
    url: address.meta({ description: 'Where this deployment is, for as long as it exists' }),
    aliases: z.array(address).meta({ description: 'Where it is reachable besides' }),
    live: z.boolean().meta({ description: "Whether it is the project's production now" }),
    live_since_ms: timeMs.nullable().meta({ description: 'When it last became live' }),
    rollback_candidate: z
      .boolean()
      .meta({ description: 'Whether it was live before and can be promoted again' }),
    queue_position: integer.nullable().meta({
      description:
        'How far it is from being built, 1 for the next one, by turns of the teams; ' +
        'null where it does not wait',
    }),
    build: deploymentBuildSchema.meta({ description: 'The settings used' }),
    server: deploymentServerSchema
      .nullable()
      .default(null)
      .meta({ description: 'Its server; null where it serves files alone' }),
    error: z
      .object({
        reason: z.string().meta({
          description:
            'build_failed, build_timeout, build_out_of_memory, start_failed, ' +
            'release_failed, worker_lost, queue_timeout, builds_not_available, storage_quota or disk_full; ' +
            'the log tells more. Of a canceled one: maker_removed, maker_demoted or maker_limited',
        }),
        message: z.string(),
        excerpt: errorExcerpt.optional(),
      })
      .nullable(),
    files: integer.meta({
      description:
        'How many it serves, with those of its server; until it is built, how many it is built from',
    }),
    bytes: integer.meta({ description: 'Of these files together' }),
    left_out: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Paths of the zip that were not deployed, since they never are: .git, .env and the like. ' +
          'Only in the response to the zip',
      }),
    meta: z.record(z.string(), z.string()),
    warnings: z
      .array(warningSchema)
      .default([])
      .meta({ description: 'What was passed over, and what looks wrong; at most 100' }),
    // For a day, a repeat may get a response that an earlier version stored: without these.
    source: sourceSchema.default({ kind: 'api', name: null }),
    redeploy_of: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The deployment whose sources it was made of, which may be deleted' }),
    untrusted: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Whether its sources are those of somebody outside the team: then it is always a protected ' +
          'preview, built without variables',
      }),
    created_by: idSchema('user'),
    created_by_name: z.string().nullable().default(null).meta({ description: 'The name of that person' }),
    created_ms: timeMs,
    building_ms: timeMs.nullable(),
    ready_ms: timeMs.nullable(),
    ended_ms: timeMs.nullable(),
    expires_ms: timeMs.nullable().meta({ description: "When the project's preview_ttl_days removes it" }),
  })
  .meta({ id: 'Deployment' })

export type DeploymentRecord = z.infer<typeof deploymentSchema>
