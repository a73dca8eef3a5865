/** Teams. */
import { z } from 'zod'
import { roleSchema } from '../auth/principal.ts'
import { acceptInvitation } from '../auth/teams/accept.ts'
import { teamCaller } from '../auth/teams/caller.ts'
import { declineInvitation } from '../auth/teams/decline.ts'
import { deleteTeam } from '../auth/teams/delete.ts'
import { listInvitations } from '../auth/teams/invitations.ts'
import { putTeam } from '../auth/teams/put.ts'
import { getTeam, listTeams } from '../auth/teams/read.ts'
import { invitationSchema, putTeamSchema, teamDetailsSchema, teamSchema } from '../auth/teams/record.ts'
import { procedure, router } from '../trpc/init.ts'
import { deleted, pageInput, pageOf, timeMsInput } from './schemas.ts'

const tags = ['Teams']

const reference = z.strictObject({
  team: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The team's slug or id", examples: ['acme'] }),
})

const wantedMember = z
  .strictObject({
    email: z
      .email()
      .max(254)
      .toLowerCase()
      .nullable()
      .meta({ description: 'null stands for all members without an email address' }),
    role: roleSchema,
  })
  .meta({ examples: [{ email: 'ada@example.com', role: 'member' }] })

const wantedMembers = z
  .array(wantedMember)
  .max(500)
  .refine(
    (list) => new Set(list.map(({ email }) => email)).size === list.length,
    'must not contain duplicates',
  )
  .meta({
    description:
      'The complete list. New addresses are invited, and join by accepting; members left out are removed, and their ' +
      'keys revoked',
  })

export const teamsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/teams',
        tags,
        summary: 'List teams',
        description: "By slug: the user's teams. An API key sees its own only.",
        successDescription: 'A page of teams',
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageOf(teamSchema))
    .query(({ ctx, input }) => listTeams(ctx.services.store, teamCaller(ctx), input)),

  get: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Get a team',
        description: 'With its members and invitations.',
        successDescription: 'The team',
      },
    })
    .input(reference)
    .output(teamDetailsSchema)
    .query(({ ctx, input }) => getTeam(ctx.services.store, teamCaller(ctx), input.team)),

  put: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Create or configure a team',
        description:
          "An unused slug creates a team owned by the caller's user, and returns an owner key of it, once. By id, " +
          'the team must exist. An omitted field keeps its value. For owners.',
        successDescription: 'The team',
      },
      reasons: ['name_in_use', 'too_many_teams', 'changed_since', 'owner_required', 'personal_team'],
    })
    .input(
      reference.extend({
        name: z.string().min(1).max(200).optional().meta({ description: 'Any label; default: the slug' }),
        members: wantedMembers.optional(),
        updated_ms: timeMsInput
          .optional()
          .meta({ description: 'From a previous read: 409 if the team was changed since' }),
      }),
    )
    .output(putTeamSchema)
    .mutation(({ ctx, input: { team: slugOrId, ...changes } }) =>
      putTeam(ctx.services, teamCaller(ctx), slugOrId, changes),
    ),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Delete a team',
        description:
          'With its members and keys. It must have no projects and not be a personal team. For owners.',
        successDescription: 'The team was deleted',
      },
      reasons: ['personal_team', 'team_has_projects'],
    })
    .input(reference)
    .output(deleted('team'))
    .mutation(({ ctx, input }) => deleteTeam(ctx.services, teamCaller(ctx), input.team)),

  invitations: procedure
    .input(z.strictObject(pageInput))
    .output(pageOf(invitationSchema))
    .query(({ ctx: { services, principal }, input }) =>
      listInvitations({ db: services.store.db, nowMs: services.nowMs() }, principal, input),
    ),

  acceptInvitation: procedure
    .input(reference)
    .output(teamSchema)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.services, ctx, input.team)),

  declineInvitation: procedure
    .input(reference)
    .output(z.object({ team: z.string(), declined: z.literal(true) }))
    .mutation(({ ctx: { services, principal }, input }) =>
      declineInvitation(services, principal, input.team),
    ),
})
