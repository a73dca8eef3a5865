/** Trust policies of projects: RPC only. */
import { z } from 'zod'
import { createTrustPolicy, listTrustPolicies, revokeTrustPolicy } from '../../platform/trust/policies.ts'
import {
  newTrustPolicyInput,
  projectTrustInput,
  trustPolicyReference,
} from '../../platform/trust/policy-input.ts'
import { trustPolicySchema } from '../../platform/trust/policy-output.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'

export const trustRouter = router({
  create: procedure
    .meta({ role: 'owner' })
    .input(newTrustPolicyInput)
    .output(trustPolicySchema)
    .mutation(({ ctx, input }) => createTrustPolicy(ctx.services, ctx, input)),

  list: procedure
    .meta({ role: 'owner' })
    .input(projectTrustInput)
    .output(z.object({ data: z.array(trustPolicySchema) }))
    .query(({ ctx: { services, principal }, input }) =>
      listTrustPolicies(services, principal, input.project),
    ),

  revoke: procedure
    .meta({ role: 'owner' })
    .input(trustPolicyReference)
    .output(deleted('trustPolicy'))
    .mutation(({ ctx, input }) => revokeTrustPolicy(ctx.services, ctx, input)),
})
