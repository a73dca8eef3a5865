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
import { invitationLinkExample, newInvitationLinkExample } from './examples/invitations.ts'

export const invitationLinksRouter = router({
  create: procedure
    .meta({
      role: 'owner of it',
      ofPerson: true,
      reasons: ['second_factor_required'],
      public: {
        summary: 'Make the link of an invitation',
        description:
          'Whoever has it joins as the invitation says. ' +
          'The response has its address, once; a new one replaces it.',
        example: {
          input: newInvitationLinkExample,
          output: {
            ...invitationLinkExample,
            url: 'https://api.svc.example.com/auth/join?token=<token>',
          },
        },
      },
    })
    .input(createLinkInput)
    .output(newInvitationLinkSchema)
    .mutation(({ ctx, input }) => createInvitationLink(ctx.services, teamCaller(ctx), input)),

  list: procedure
    .meta({
      role: 'owner of it',
      ofPerson: true,
      reasons: ['second_factor_required'],
      public: {
        summary: 'List the links of invitations',
        example: { input: { team: 'acme' }, output: { data: [invitationLinkExample] } },
      },
    })
    .input(teamReference)
    .output(z.object({ data: z.array(invitationLinkSchema) }))
    .query(({ ctx, input }) => listInvitationLinks(ctx.services, teamCaller(ctx), input.team)),

  revoke: procedure
    .meta({
      role: 'owner of it',
      ofPerson: true,
      reasons: ['second_factor_required', 'link_invalid'],
      public: {
        summary: 'Revoke the link of an invitation',
        example: {
          input: { team: 'acme', id: invitationLinkExample.id },
          output: { id: invitationLinkExample.id, deleted: true },
        },
      },
    })
    .input(revokeLinkInput)
    .output(deleted('invitationLink'))
    .mutation(({ ctx, input }) => revokeInvitationLink(ctx.services, teamCaller(ctx), input)),
})
