/** Examples of deploy hooks in the document of RPC. */
import type { z } from 'zod'
import type { newDeployHookInput } from '../../../platform/hooks/hook-input.ts'
import type { DeployHookRecord } from '../../../platform/hooks/hook-output.ts'

export const newDeployHookExample: z.input<typeof newDeployHookInput> = { project: 'web', name: 'cms' }

export const deployHookExample: DeployHookRecord = {
  id: 'dhk_019aa5d3b3208fd4e7a15c60b2938d4e',
  name: 'cms',
  branch: null,
  created_by: 'usr_019aa5d1f0a47c3be2d95f8043b7a61c',
  created_by_name: 'Ada',
  created_ms: 1_790_000_000_000,
  last_used_ms: 0,
  ended: null,
}
