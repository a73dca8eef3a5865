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
import { newTrustPolicyExample, trustPolicyExample } from './examples/trust.ts'

export const trustRouter = router({
  create: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'too_many_trust_policies'],
      public: {
        summary: 'Make a trust policy',
        description:
          'Jobs of a CI system whose identity token has these claims deploy to the project, without a key.',
        example: { input: newTrustPolicyExample, output: trustPolicyExample },
      },
    })
    .input(newTrustPolicyInput)
    .output(trustPolicySchema)
    .mutation(({ ctx, input }) => createTrustPolicy(ctx.services, ctx, input)),

  list: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found'],
      public: {
        summary: 'List trust policies',
        example: { input: { project: 'web' }, output: { data: [trustPolicyExample] } },
      },
    })
    .input(projectTrustInput)
    .output(z.object({ data: z.array(trustPolicySchema) }))
    .query(({ ctx: { services, principal }, input }) =>
      listTrustPolicies(services, principal, input.project),
    ),

  revoke: procedure
    .meta({
      role: 'owner',
      reasons: ['project_not_found', 'trust_policy_not_found'],
      public: {
        summary: 'Revoke a trust policy',
        example: {
          input: { project: 'web', id: trustPolicyExample.id },
          output: { id: trustPolicyExample.id, deleted: true },
        },
      },
    })
    .input(trustPolicyReference)
    .output(deleted('trustPolicy'))
    .mutation(({ ctx, input }) => revokeTrustPolicy(ctx.services, ctx, input)),
})
