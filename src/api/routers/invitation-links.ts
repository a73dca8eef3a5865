/** The links of invitations, for first-party programs: RPC only. */
import { z } from 'zod'
import { teamCaller } from '../../platform/teams/caller.ts'
import { createInvitationLink } from '../../platform/teams/invitation-links/create-invitation-link.ts'
import { listInvitationLinks } from '../../platform/teams/invitation-links/find-invitation-link.ts'
import {
  createLinkInput,
  revokeLinkInput,
} from '../../platform/teams/invitation-links/invitation-link-input.ts'
import {
  invitationLinkSchema,
  newInvitationLinkSchema,
} from '../../platform/teams/invitation-links/invitation-link-output.ts'
import { revokeInvitationLink } from '../../platform/teams/invitation-links/revoke.ts'
import { teamReference } from '../../platform/teams/team-input.ts'
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
