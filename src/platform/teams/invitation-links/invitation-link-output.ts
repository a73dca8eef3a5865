/** The links of invitations as owners see them. */
import { z } from 'zod'
import { idSchema } from '../../../lib/ids.ts'
import { returnedSecret } from '../../../lib/secret.ts'
import { address, timeMs } from '../../../stores/db/record-fields.ts'
import { makerEndSchema } from '../../callers/maker-right.ts'
import { roleSchema } from '../../callers/principal.ts'

export const invitationLinkSchema = z.object({
  id: idSchema('invitationLink'),
  email: z.string(),
  role: roleSchema.meta({ description: 'The role that the invitation has now' }),
  created_by: idSchema('user'),
  created_by_name: z.string(),
  created_ms: timeMs,
  expires_ms: timeMs.meta({ description: '7 days after it was made' }),
  ended: makerEndSchema,
})

export const newInvitationLinkSchema = invitationLinkSchema.extend({
  url: returnedSecret(address, { description: 'In this answer only' }),
})

export type InvitationLinkRecord = z.infer<typeof invitationLinkSchema>
