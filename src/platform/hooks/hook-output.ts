/** Deploy hooks as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { returnedSecret } from '../../lib/secret.ts'
import { address, timeMs } from '../../stores/db/record-fields.ts'
import { makerEndSchema } from '../callers/maker-right.ts'

/** `branch` is null for what is live; `last_used_ms` is 0 until it made a first deployment. */
export const deployHookSchema = z.object({
  id: idSchema('deployHook'),
  name: z.string(),
  branch: z.string().nullable(),
  created_by: z.string(),
  created_by_name: z.string(),
  created_ms: timeMs,
  last_used_ms: timeMs,
  ended: makerEndSchema,
})

/** With the address that stands for the hook, which is known this once. */
export const newDeployHookSchema = deployHookSchema.extend({ url: returnedSecret(address) })

export type DeployHookRecord = z.infer<typeof deployHookSchema>
