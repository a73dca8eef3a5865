/** The inputs of calls about share links. */
import { z } from 'zod'
import { timeMsInput } from '../../stores/db/record-fields.ts'
import { projectReference } from '../projects/reference.ts'

export const projectLinksInput = z.strictObject({ project: projectReference })

/** Without `project` that of `host`, without `host` the production host; `expires_ms` is in a week. */
export const newShareLinkInput = z
  .strictObject({
    project: projectReference.optional(),
    host: z.string().min(1).max(260).optional(),
    expires_ms: timeMsInput.optional(),
  })
  .refine(({ project, host }) => project !== undefined || host !== undefined, {
    path: ['project'],
    error: 'required, unless host is given',
  })

export const shareLinkReference = z.strictObject({ project: projectReference, id: z.string().max(100) })

export type NewShareLink = z.infer<typeof newShareLinkInput>

export type ShareLinkReference = z.infer<typeof shareLinkReference>
