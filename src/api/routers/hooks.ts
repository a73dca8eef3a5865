/** Deploy hooks of projects: RPC only. */
import { z } from 'zod'
import { createDeployHook, listDeployHooks, revokeDeployHook } from '../../platform/hooks/deploy-hooks.ts'
import {
  deployHookReference,
  newDeployHookInput,
  projectHooksInput,
} from '../../platform/hooks/hook-input.ts'
import { deployHookSchema, newDeployHookSchema } from '../../platform/hooks/hook-output.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { deployHookExample, newDeployHookExample } from './examples/hooks.ts'

export const hooksRouter = router({
  create: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'too_many_deploy_hooks'],
      public: {
        summary: 'Make a deploy hook',
        description:
          'A `POST` to its address has what is live built again, or the `branch`. ' +
          'The response has the address, once.',
        example: {
          input: newDeployHookExample,
          output: { ...deployHookExample, url: 'https://api.svc.example.com/hooks/<secret>' },
        },
      },
    })
    .input(newDeployHookInput)
    .output(newDeployHookSchema)
    .mutation(({ ctx, input }) => createDeployHook(ctx.services, ctx, input)),

  list: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found'],
      public: {
        summary: 'List deploy hooks',
        example: { input: { project: 'web' }, output: { data: [deployHookExample] } },
      },
    })
    .input(projectHooksInput)
    .output(z.object({ data: z.array(deployHookSchema) }))
    .query(({ ctx: { services, principal }, input }) => listDeployHooks(services, principal, input.project)),

  revoke: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'deploy_hook_not_found'],
      public: {
        summary: 'Revoke a deploy hook',
        example: {
          input: { project: 'web', id: deployHookExample.id },
          output: { id: deployHookExample.id, deleted: true },
        },
      },
    })
    .input(deployHookReference)
    .output(deleted('deployHook'))
    .mutation(({ ctx, input }) => revokeDeployHook(ctx.services, ctx, input)),
})
