/** What calls about share links take. */
import { z } from 'zod'
import { timeMsInput } from '../../stores/db/record-fields.ts'
import { projectReference } from '../projects/reference.ts'

export const projectLinksInput = z.strictObject({ project: projectReference })

/** `host` is by default the production host, `expires_ms` in a week. */
export const newShareLinkInput = z.strictObject({
  project: projectReference,
  host: z.string().min(1).max(260).optional(),
  expires_ms: timeMsInput.optional(),
})

export const shareLinkReference = z.strictObject({ project: projectReference, id: z.string().max(100) })

export type NewShareLink = z.infer<typeof newShareLinkInput>

export type ShareLinkReference = z.infer<typeof shareLinkReference>
