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

export const hooksRouter = router({
  create: procedure
    .meta({ role: 'owner' })
    .input(newDeployHookInput)
    .output(newDeployHookSchema)
    .mutation(({ ctx, input }) => createDeployHook(ctx.services, ctx, input)),

  list: procedure
    .meta({ role: 'owner' })
    .input(projectHooksInput)
    .output(z.object({ data: z.array(deployHookSchema) }))
    .query(({ ctx: { services, principal }, input }) => listDeployHooks(services, principal, input.project)),

  revoke: procedure
    .meta({ role: 'owner' })
    .input(deployHookReference)
    .output(deleted('deployHook'))
    .mutation(({ ctx, input }) => revokeDeployHook(ctx.services, ctx, input)),
})
