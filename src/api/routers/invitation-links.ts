/** The links of invitations, for first-party programs: RPC only. */
import { z } from 'zod'
import { createInvitationLink } from '../../platform/auth/invitation-links/create.ts'
import { listInvitationLinks } from '../../platform/auth/invitation-links/find.ts'
import { createLinkInput, revokeLinkInput } from '../../platform/auth/invitation-links/input.ts'
import { invitationLinkSchema, newInvitationLinkSchema } from '../../platform/auth/invitation-links/output.ts'
import { revokeInvitationLink } from '../../platform/auth/invitation-links/revoke.ts'
import { teamCaller } from '../../platform/auth/teams/caller.ts'
import { teamReference } from '../../platform/auth/teams/input.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'

export const invitationLinksRouter = router({
  create: procedure
    .meta({ role: 'owner of it', ofPerson: true })
    .input(createLinkInput)
    .output(newInvitationLinkSchema)
    .mutation(({ ctx, input }) => createInvitationLink(ctx.services, teamCaller(ctx), input)),

  list: procedure
    .meta({ role: 'owner of it', ofPerson: true })
    .input(teamReference)
    .output(z.object({ data: z.array(invitationLinkSchema) }))
    .query(({ ctx, input }) => listInvitationLinks(ctx.services, teamCaller(ctx), input.team)),

  revoke: procedure
    .meta({ role: 'owner of it', ofPerson: true })
    .input(revokeLinkInput)
    .output(deleted('invitationLink'))
    .mutation(({ ctx, input }) => revokeInvitationLink(ctx.services, teamCaller(ctx), input)),
})
