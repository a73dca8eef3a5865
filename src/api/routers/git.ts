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

const input = z.strictObject({ project: projectReference })

export const gitRouter = router({
  deliveries: procedure
    .meta({ role: 'member', limited: 'theirs' })
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
    .meta({ role: 'member', limited: 'theirs' })
    .input(deployBranchInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => deployBranch(ctx.services, ctx, input, ctx.signal())),

  registerHook: procedure
    .meta({ role: 'owner' })
    .input(input)
    .output(registeredHookSchema)
    .mutation(({ ctx, input }) => registerHook(ctx.services, ctx, input.project, ctx.signal())),

  retry: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(retryInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => retryForgeDelivery(ctx.services, ctx, input)),

  approve: procedure
    .meta({ role: 'owner' })
    .input(approveInput)
    .output(forgeDeliverySchema)
    .mutation(({ ctx, input }) => approveForgeDelivery(ctx.services, ctx, input)),
})
