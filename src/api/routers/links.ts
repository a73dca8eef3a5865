/** Share links of protected sites: RPC only. */
import { z } from 'zod'
import {
  newShareLinkInput,
  projectLinksInput,
  shareLinkReference,
} from '../../platform/visitors/share-link-input.ts'
import { newShareLinkSchema, shareLinkSchema } from '../../platform/visitors/share-link-output.ts'
import { createShareLink, listShareLinks, revokeShareLink } from '../../platform/visitors/share-links.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'

export const linksRouter = router({
  create: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(newShareLinkInput)
    .output(newShareLinkSchema)
    .mutation(({ ctx, input }) => createShareLink(ctx.services, ctx, input)),

  list: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(projectLinksInput)
    .output(z.object({ data: z.array(shareLinkSchema) }))
    .query(({ ctx: { services, principal }, input }) => listShareLinks(services, principal, input.project)),

  revoke: procedure
    .meta({ role: 'member', limited: 'theirs' })
    .input(shareLinkReference)
    .output(deleted('shareLink'))
    .mutation(({ ctx, input }) => revokeShareLink(ctx.services, ctx, input)),
})
