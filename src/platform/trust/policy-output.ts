/** Trust policies as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { timeMs } from '../../stores/db/record-fields.ts'
import { makerEndSchema } from '../callers/maker-right.ts'
import { targetSchema } from '../projects/project-output.ts'

/** `last_used_ms` is 0 until a first token was exchanged. */
export const trustPolicySchema = z.object({
  id: idSchema('trustPolicy'),
  issuer: z.string(),
  claims: z.record(z.string(), z.string()),
  targets: z.array(targetSchema),
  bind_branch: z.boolean(),
  created_by: z.string(),
  created_by_name: z.string(),
  created_ms: timeMs,
  last_used_ms: timeMs,
  ended: makerEndSchema,
})

export type TrustPolicyRecord = z.infer<typeof trustPolicySchema>
