/** Deployments. */
import { z } from 'zod'
import { compareDeployments, comparisonSchema } from '../deployments/compare.ts'
import { createDeployment } from '../deployments/create.ts'
import { deleteDeployment } from '../deployments/delete.ts'
import { fileSchema, listFiles } from '../deployments/files.ts'
import { listDeployments } from '../deployments/list.ts'
import { promoteDeployment } from '../deployments/promote.ts'
import { getDeployment } from '../deployments/read.ts'
import { deploymentSchema } from '../deployments/record.ts'
import { type State, stateSchema } from '../deployments/state.ts'
import { waitForDeployment } from '../deployments/wait.ts'
import { targetSchema } from '../projects/record.ts'
import { procedure, router } from '../trpc/init.ts'
import { buildChanges } from './projects.ts'
import { deleted, filesPageInput, pageInput, pageOf, projectReference, timeMsInput } from './schemas.ts'

const tags = ['Deployments']

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

const createInput = z.strictObject({
  project: projectReference,
  target: targetSchema.default('preview'),
  files: z.array(file).meta({ description: 'By content, or by sha256 and size' }),
  meta: meta.default({}).meta({ description: 'Arbitrary strings, such as branch, commit and message' }),
  build: buildChanges.optional().meta({ description: "Overrides the project's" }),
  direct_uploads: z.boolean().optional().meta({
    description:
      'Whether missing files may have a `direct` URL beside their `upload_url`, as far as the server has any',
  }),
})

const reference = z.strictObject({
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

const listInput = z.strictObject({
  ...pageInput,
  project: projectReference.optional(),
  target: targetSchema.optional().meta({ description: 'Only those for this target' }),
  state: states.optional(),
  branch: z.string().max(1_000).optional().meta({ description: 'meta.branch' }),
  since_ms: timeMsInput.optional().meta({ description: 'Created then or later' }),
  until_ms: timeMsInput.optional().meta({ description: 'Created before' }),
})

export const deploymentsRouter = router({
  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/deployments',
        tags,
        summary: 'Create a deployment',
        description:
          'Files are sent inline or by digest. If blobs are missing, the response is 400 files_missing with an upload URL for ' +
          'each: PUT the raw bytes there, then repeat the request. _redirects and _headers at the root are not ' +
          'served but applied; an invalid line is 400 invalid_input and names file and line. With a build command ' +
          'the files are its sources: the deployment is queued, then building, and finally ready or error; ' +
          'an install command alone builds nothing. The files may also be sent as one zip: project, target and ' +
          'meta.<key> are then in the query. Of a zip, left_out names what is never deployed: .git, .env and the like.',
        successDescription: 'The deployment',
      },
      takesZip: true,
      reasons: [
        'files_missing',
        'builds_not_available',
        'project_not_found',
        'too_many_queued',
        'storage_quota',
      ],
    })
    .input(createInput)
    .output(deploymentSchema)
    .mutation(({ ctx, input: { direct_uploads: directUploads, ...input } }) =>
      createDeployment(ctx.services, ctx, { ...input, directUploads, zip: ctx.zip }, ctx.remember),
    ),

  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/deployments',
        tags,
        summary: 'List deployments',
        description: 'Newest first.',
        successDescription: 'A page of deployments',
      },
    })
    .input(listInput)
    .output(pageOf(deploymentSchema))
    .query(({ ctx: { services, principal }, input }) => listDeployments(services, principal.teamId, input)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/deployments/{deployment}',
        tags,
        summary: 'Get a deployment',
        description: 'With wait_s, responds once the state is final, or after that time.',
        successDescription: 'The deployment',
      },
      reasons: ['deployment_not_found'],
    })
    .input(
      reference.extend({
        wait_s: z
          .int()
          .min(0)
          .max(30)
          .default(0)
          .meta({ description: 'How long to wait for a final state, in seconds' }),
      }),
    )
    .output(deploymentSchema)
    .query(async ({ ctx, input: { deployment: id, wait_s } }) => {
      const { services, principal } = ctx
      if (wait_s === 0) return getDeployment(services, principal.teamId, id)
      // Only a waiting call needs the signal, which costs a listener to create.
      const waiting = { ...services, signal: ctx.signal }
      const found = await waitForDeployment(waiting, principal.teamId, id, wait_s * 1_000)
      await ctx.authenticateAgain()
      return found
    }),

  promote: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/deployments/{deployment}/promote',
        tags,
        summary: 'Promote a deployment',
        description: "Makes it the project's production deployment at once; also rolls back to an older one.",
        successDescription: 'The deployment, live',
      },
      reasons: ['deployment_not_found', 'not_ready'],
    })
    .input(reference)
    .output(deploymentSchema)
    .mutation(({ ctx, input }) => promoteDeployment(ctx.services, ctx, input.deployment, ctx.remember)),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/deployments/{deployment}',
        tags,
        summary: 'Cancel or delete a deployment',
        description:
          'Cancels one that is queued or building, kills its processes, and returns it. A finished one is ' +
          'deleted, which needs the owner role.',
        successDescription: 'The canceled deployment, or confirmation of the deletion',
      },
      reasons: ['role_required', 'deployment_not_found', 'is_live'],
    })
    .input(reference)
    .output(z.union([deploymentSchema, deleted('deployment')]))
    .mutation(({ ctx, input }) => deleteDeployment(ctx.services, ctx, input.deployment)),

  /** What it serves; until it is built, what it is built from; RPC only. */
  files: procedure
    .input(reference.extend({ ...filesPageInput, q: z.string().max(200).optional() }))
    .output(pageOf(fileSchema))
    .query(({ ctx: { services, principal }, input: { deployment, ...options } }) =>
      listFiles(services, principal.teamId, deployment, options),
    ),

  compare: procedure
    .input(reference.extend({ ...filesPageInput, with: reference.shape.deployment.optional() }))
    .output(comparisonSchema)
    .query(({ ctx: { services, principal }, input }) =>
      compareDeployments(services, principal.teamId, input),
    ),
})
