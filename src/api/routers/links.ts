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
import { newShareLinkExample, shareLinkExample } from './examples/links.ts'

export const linksRouter = router({
  create: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found', 'too_many_share_links'],
      public: {
        summary: 'Make a share link',
        description:
          'Opens a protected site to whoever has it, for a week or until `expires_ms`, at most 90 days. ' +
          'The response has its address, once.',
        example: {
          input: newShareLinkExample,
          output: {
            ...shareLinkExample,
            url: 'https://web.svc.example.com/?x-svc-share=<token>',
            project: 'web',
            open: false,
          },
        },
      },
    })
    .input(newShareLinkInput)
    .output(newShareLinkSchema)
    .mutation(({ ctx, input }) => createShareLink(ctx.services, ctx, input)),

  list: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found'],
      public: {
        summary: 'List share links',
        example: { input: { project: 'web' }, output: { data: [shareLinkExample] } },
      },
    })
    .input(projectLinksInput)
    .output(z.object({ data: z.array(shareLinkSchema) }))
    .query(({ ctx: { services, principal }, input }) => listShareLinks(services, principal, input.project)),

  revoke: procedure
    .meta({
      role: 'member',
      limited: 'theirs',
      reasons: ['project_not_found', 'share_link_not_found'],
      public: {
        summary: 'Revoke a share link',
        example: {
          input: { project: 'web', id: shareLinkExample.id },
          output: { id: shareLinkExample.id, deleted: true },
        },
      },
    })
    .input(shareLinkReference)
    .output(deleted('shareLink'))
    .mutation(({ ctx, input }) => revokeShareLink(ctx.services, ctx, input)),
})
