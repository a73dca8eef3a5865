/** Repositories at forges: RPC only. */
import { z } from 'zod'
import { approveForgeDelivery, approveInput } from '../../platform/forges/deliveries/approve.ts'
import { deployBranch, deployBranchInput } from '../../platform/forges/deliveries/deploy-branch.ts'
import {
  forgeDeliverySchema,
  listForgeDeliveries,
} from '../../platform/forges/deliveries/list-forge-deliveries.ts'
import { retryForgeDelivery, retryInput } from '../../platform/forges/deliveries/retry.ts'
import { registeredHookSchema, registerHook } from '../../platform/forges/hooks/register-hook.ts'
import {
  inspectedRepositorySchema,
  inspectInput,
  inspectRepository,
} from '../../platform/forges/refs/inspect-repository.ts'
import { refusalSchema } from '../../platform/forges/refusals/list-refusals.ts'
import { projectReference } from '../../platform/projects/reference.ts'
import { procedure, router } from '../trpc/init.ts'
import { forgeDeliveryExample } from './examples/git.ts'

const input = z.strictObject({ project: projectReference })

export const gitRouter = router({
  deliveries: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found'],
      public: {
        summary: 'List what a forge delivered',
        example: { input: { project: 'web' }, output: { data: [forgeDeliveryExample], refused: [] } },
      },
    })
    .input(input)
    .output(z.object({ data: z.array(forgeDeliverySchema), refused: z.array(refusalSchema) }))
    .query(({ ctx: { services, principal }, input }) =>
      listForgeDeliveries(services, principal, input.project),
    ),

  inspect: procedure
    .meta({ role: 'owner' })
    .input(inspectInput)
    .output(inspectedRepositorySchema)
    .mutation(({ ctx, input }) => inspectRepository(ctx.services, ctx.principal, input, ctx.signal())),

  deploy: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found', 'too_many_waiting'],
      public: {
        summary: 'Deploy a branch of the repository',
        description: 'Without `branch` the production branch.',
        example: {
          input: { project: 'web', branch: 'main' },
          output: {
            ...forgeDeliveryExample,
            event: 'deploy',
            status: 'pending',
            outcome: null,
            ended_ms: null,
          },
        },
      },
    })
    .input(deployBranchInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => deployBranch(ctx.services, ctx, input, ctx.signal())),

  registerHook: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'changed_since', 'too_many_waiting'],
      public: {
        summary: 'Register the webhook at the forge',
        description: 'With the token of the project.',
        example: {
          input: { project: 'web' },
          output: {
            created: true,
            hook_url: 'https://api.svc.example.com/hooks/git/prj_019aa5d2c1f07a4be3d85f9062b7a41c',
          },
        },
      },
    })
    .input(input)
    .output(registeredHookSchema)
    .mutation(({ ctx, input }) => registerHook(ctx.services, ctx, input.project, ctx.signal())),

  retry: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: [
        'project_not_found',
        'delivery_not_found',
        'delivery_pending',
        'changed_since',
        'sources_gone',
        'too_many_waiting',
      ],
      public: {
        summary: 'Try a failed delivery again',
        example: {
          input: { project: 'web', delivery: forgeDeliveryExample.id },
          output: { ...forgeDeliveryExample, status: 'pending', outcome: null, ended_ms: null },
        },
      },
    })
    .input(retryInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => retryForgeDelivery(ctx.services, ctx, input)),

  approve: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'delivery_not_found', 'changed_since'],
      public: {
        summary: 'Approve a commit of a fork',
        description: 'It is deployed as an untrusted preview.',
        example: {
          input: {
            project: 'web',
            delivery: forgeDeliveryExample.id,
            commit: forgeDeliveryExample.commit,
          },
          output: {
            ...forgeDeliveryExample,
            event: 'pull_request',
            status: 'pending',
            branch: null,
            pull_request: 7,
            outcome: null,
            ended_ms: null,
          },
        },
      },
    })
    .input(approveInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => approveForgeDelivery(ctx.services, ctx, input)),
})
