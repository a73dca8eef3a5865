/** The inputs of requests about deployments. */
import { z } from 'zod'
import { pageInput } from '../../stores/db/page-schema.ts'
import { timeMsInput } from '../../stores/db/record-fields.ts'
import { deploymentBuildChanges } from '../projects/project-input.ts'
import { targetSchema } from '../projects/project-output.ts'
import { projectReference } from '../projects/reference.ts'
import { type State, stateSchema } from './state.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex')

const file = z
  .strictObject({
    path: z.string().meta({ description: 'Relative, /-separated, NFC, at most 1,024 bytes' }),
    content: z.string().optional().meta({ description: 'The file as text' }),
    content_base64: z.string().optional().meta({ description: 'The file as base64' }),
    sha256: digest.optional().meta({ description: 'The digest of a file that is uploaded on its own' }),
    size: z.int().nonnegative().optional().meta({ description: 'Bytes; with sha256' }),
  })
  .meta({ id: 'DeploymentFile', examples: [{ path: 'index.html', content: '<h1>Hello</h1>' }] })

const meta = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .refine((entries) => Object.keys(entries).length <= 64, 'must have at most 64 keys')

export const createDeploymentInput = z
  .strictObject({
    project: projectReference,
    target: targetSchema
      .optional()
      .meta({ description: "preview if omitted; with `from`, that deployment's" }),
    files: z.array(file).optional().meta({ description: 'By content, or by sha256 and size' }),
    from: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({
        description:
          'Instead of files: the id of a deployment of the project, whose sources are deployed again, ' +
          'with the settings and variables of today',
      }),
    meta: meta.optional().meta({
      description: "Arbitrary strings, such as branch, commit and message; with `from`, that deployment's",
    }),
    build: deploymentBuildChanges.optional().meta({ description: "Overrides the project's" }),
    direct_uploads: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether missing files may have a `direct` URL beside their `upload_url`, ' +
          'as far as the server has any',
      }),
  })
  // A repeated request is the same one with its defaults and without.
  .overwrite((input) => (input.from === undefined ? { target: 'preview', meta: {}, ...input } : input))

/** Files by digest alone. */
export const missingUploadsInput = z.strictObject({
  project: projectReference,
  files: z.array(file.pick({ path: true, sha256: true, size: true }).required()),
})

export const deploymentReference = z.strictObject({
  deployment: z
    .string()
    .min(1)
    .max(100)
    .meta({
      description: "The deployment's id",
      examples: ['dpl_019aa5d3d1c0a4b2f60d93c2e8175b64'],
    }),
})

const states = z
  .string()
  .max(100)
  .meta({ description: 'A comma list of states', examples: ['ready,error'] })
  .transform((text, ctx): State[] => {
    const states = z.array(stateSchema).safeParse(text.split(','))
    if (states.success) return [...new Set(states.data)]
    const message = `must be one of ${stateSchema.options.join(', ')}, or a comma list of them`
    ctx.issues.push({ code: 'custom', input: text, message })
    return z.NEVER
  })

export const listDeploymentsInput = z.strictObject({
  ...pageInput,
  project: projectReference.optional(),
  target: targetSchema.optional().meta({ description: 'Only those for this target' }),
  state: states.optional(),
  branch: z.string().max(1_000).optional().meta({ description: 'meta.branch' }),
  since_ms: timeMsInput.optional().meta({ description: 'Created then or later' }),
  until_ms: timeMsInput.optional().meta({ description: 'Created before' }),
})

/** The files of lists: larger pages, and cursors that hold a path. */
const filesPageInput = {
  limit: z.int().min(1).max(1_000).default(100),
  cursor: z.string().max(10_000).optional(),
}

export const listFilesInput = deploymentReference.extend({
  ...filesPageInput,
  q: z.string().max(200).optional(),
})

/** `with`: the deployment to compare with; by default the live one of the project. */
export const compareInput = deploymentReference.extend({
  ...filesPageInput,
  with: deploymentReference.shape.deployment.optional(),
})

/** A file: by content, or by digest and size. */
export type FileInput = z.infer<typeof file>

export type CreateDeployment = z.infer<typeof createDeploymentInput>

export type MissingUploadsInput = z.infer<typeof missingUploadsInput>

export type ListDeployments = z.infer<typeof listDeploymentsInput>

export type ListFiles = Omit<z.infer<typeof listFilesInput>, 'deployment'>

export type Compare = z.infer<typeof compareInput>
