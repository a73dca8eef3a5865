/** Examples of trust policies in the document of RPC. */
import type { z } from 'zod'
import type { newTrustPolicyInput } from '../../../platform/trust/policy-input.ts'
import type { TrustPolicyRecord } from '../../../platform/trust/policy-output.ts'

const policy = {
  issuer: 'https://gitlab.com',
  claims: { project_id: '1234', ref_protected: 'true' },
}

export const newTrustPolicyExample: z.input<typeof newTrustPolicyInput> = { project: 'web', ...policy }

export const trustPolicyExample: TrustPolicyRecord = {
  id: 'tp_019aa5d3b3208fd4e7a15c60b2938d4e',
  ...policy,
  targets: ['preview'],
  bind_branch: false,
  created_by: 'usr_019aa5d1f0a47c3be2d95f8043b7a61c',
  created_by_name: 'Ada',
  created_ms: 1_790_000_000_000,
  last_used_ms: 0,
  ended: null,
}
