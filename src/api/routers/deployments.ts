/** Deployments. */
import { z } from 'zod'
import { isSameScope } from '../../platform/callers/scope.ts'
import { compareDeployments, comparisonSchema } from '../../platform/deployments/compare.ts'
import { createDeployment } from '../../platform/deployments/create-deployment.ts'
import { deleteDeployment } from '../../platform/deployments/delete-deployment.ts'
import {
  compareInput,
  createDeploymentInput,
  deploymentReference,
  listDeploymentsInput,
  listFilesInput,
  missingUploadsInput,
} from '../../platform/deployments/deployment-input.ts'
import { deploymentSchema, missingUploadSchema } from '../../platform/deployments/deployment-output.ts'
import { fileSchema, listFiles } from '../../platform/deployments/files.ts'
import { listDeployments } from '../../platform/deployments/list-deployments.ts'
import { findMissingUploads } from '../../platform/deployments/missing-uploads.ts'
import { promoteDeployment } from '../../platform/deployments/promote.ts'
import { getDeployment } from '../../platform/deployments/read-deployment.ts'
import { waitForDeployment } from '../../platform/deployments/wait.ts'
import { pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { createDeploymentExample, deploymentExample } from './examples/deployments.ts'
import { pageMeta } from './page-meta.ts'

export const deploymentsTag = {
  name: 'Deployments',
  description: 'Immutable versions of a site, each with a URL of its own.',
}

const tags = [deploymentsTag.name]

export const deploymentsRouter = router({
  create: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      openapi: {
        method: 'POST',
        path: '/v1/deployments',
        tags,
        summary: 'Create a deployment',
        description:
          'Files are sent inline or by digest. If blobs are missing, the response is 400 files_missing ' +
          'with an upload URL for each: PUT the raw bytes there, then repeat the request. _redirects ' +
          'and _headers at the root are not served but applied; an invalid line is 400 invalid_input ' +
          'and names file and line. With a build command the files are its sources: the deployment is ' +
          'queued, then building, and finally ready or error; an install command alone builds nothing. ' +
          'The files may also be sent as one zip: project, target and meta.<key> are then in the query. ' +
          'Of a zip, left_out names what is never deployed: .git, .env and the like. With from instead ' +
          'of files, the sources of that deployment are deployed again.',
        successDescription: 'The deployment',
      },
      takesZip: true,
      reasons: [
        'scope',
        'files_missing',
        'builds_not_available',
        'project_not_found',
        'too_many_queued',
        'storage_quota',
        'disk_full',
        'deployment_not_found',
        'sources_gone',
        'untrusted',
      ],
      example: { request: createDeploymentExample, response: deploymentExample },
    })
    .input(createDeploymentInput)
    .output(deploymentSchema)
    .mutation(({ ctx, input: { direct_uploads: directUploads, ...input } }) =>
      createDeployment(
        ctx.services,
        ctx,
        { ...input, directUploads, zip: ctx.zip, agent: ctx.agent },
        ctx.remember,
      ),
    ),

  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      ...pageMeta({
        of: 'deployments',
        path: '/v1/deployments',
        tags,
        summary: 'List deployments',
        description: 'Newest first.',
        example: deploymentExample,
      }),
    })
    .input(listDeploymentsInput)
    .output(pageSchema(deploymentSchema))
    .query(({ ctx: { services, principal }, input }) => listDeployments(services, principal, input)),

  get: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      openapi: {
        method: 'GET',
        path: '/v1/deployments/{deployment}',
        tags,
        summary: 'Get a deployment',
        description: 'With wait_s, responds once the state is final, or after that time.',
        successDescription: 'The deployment',
      },
      reasons: ['deployment_not_found'],
      example: { response: deploymentExample },
    })
    .input(
      deploymentReference.extend({
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
      if (wait_s === 0) return getDeployment(services, principal, id)
      // Only a waiting call needs the signal, which costs a listener to create.
      const waiting = { ...services, signal: ctx.signal() }
      const found = await waitForDeployment(waiting, principal, id, wait_s * 1_000)
      const now = await ctx.authenticateAgain()
      return isSameScope(principal, now) ? found : getDeployment(services, now, id)
    }),

  promote: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      openapi: {
        method: 'POST',
        path: '/v1/deployments/{deployment}/promote',
        tags,
        summary: 'Promote a deployment',
        description: "Makes it the project's production deployment at once; also rolls back to an older one.",
        successDescription: 'The deployment, live',
      },
      reasons: ['deployment_not_found', 'not_ready', 'untrusted'],
      example: { response: deploymentExample },
    })
    .input(deploymentReference)
    .output(deploymentSchema)
    .mutation(({ ctx, input }) => promoteDeployment(ctx.services, ctx, input.deployment, ctx.remember)),

  delete: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
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
      example: { response: { id: deploymentExample.id, deleted: true } },
    })
    .input(deploymentReference)
    .output(z.union([deploymentSchema, deleted('deployment')]))
    .mutation(({ ctx, input }) => deleteDeployment(ctx.services, ctx, input.deployment)),

  /** The uploads that a deployment of these files needs before it can be created; RPC only. */
  missing: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      forWorkloads: true,
      reasons: ['project_not_found', 'storage_quota'],
    })
    .input(missingUploadsInput)
    .output(z.object({ missing: z.array(missingUploadSchema) }))
    .mutation(({ ctx: { services, principal }, input }) => findMissingUploads(services, principal, input)),

  /** The files that it serves; until it is built, its sources; RPC only. */
  files: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(listFilesInput)
    .output(pageSchema(fileSchema))
    .query(({ ctx: { services, principal }, input: { deployment, ...options } }) =>
      listFiles(services, principal, deployment, options),
    ),

  compare: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(compareInput)
    .output(comparisonSchema)
    .query(({ ctx: { services, principal }, input }) => compareDeployments(services, principal, input)),
})
