/** Share links as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { returnedSecret } from '../../lib/secret.ts'
import { address, timeMs } from '../../stores/db/record-fields.ts'
import { makerEndSchema } from '../callers/maker-right.ts'

export const shareLinkSchema = z.object({
  id: idSchema('shareLink'),
  host: z.string(),
  created_by: z.string(),
  created_by_name: z.string(),
  created_ms: timeMs,
  expires_ms: timeMs,
  ended: makerEndSchema,
})

/** With the address that opens the site, which is known this once. */
export const newShareLinkSchema = shareLinkSchema.extend({
  url: returnedSecret(address),
  project: z.string().meta({ description: 'The name of the project' }),
  open: z.boolean().meta({ description: 'Whether everybody sees the host without the link, too' }),
})

export type ShareLinkRecord = z.infer<typeof shareLinkSchema>
export type NewShareLinkRecord = z.infer<typeof newShareLinkSchema>
