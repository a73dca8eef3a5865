/** Teams. */
import { z } from 'zod'
import { acceptInvitation } from '../../platform/teams/accept.ts'
import { teamCaller } from '../../platform/teams/caller.ts'
import { declineInvitation } from '../../platform/teams/decline.ts'
import { deleteTeam } from '../../platform/teams/delete-team.ts'
import { listInvitations } from '../../platform/teams/invitations.ts'
import { listLeaving } from '../../platform/teams/leaving.ts'
import { putTeam } from '../../platform/teams/put-team.ts'
import { getTeam, listTeams } from '../../platform/teams/read-team.ts'
import { requireFactorIn } from '../../platform/teams/require-factor.ts'
import {
  leavingInput,
  putTeamInput,
  requireFactorInput,
  teamReference,
} from '../../platform/teams/team-input.ts'
import {
  invitationSchema,
  leavingSchema,
  putTeamSchema,
  teamDetailsSchema,
  teamSchema,
} from '../../platform/teams/team-output.ts'
import { pageInput, pageSchema } from '../../stores/db/page-schema.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'
import { invitationExample } from './examples/invitations.ts'
import { putTeamExample, teamDetailsExample, teamExample } from './examples/teams.ts'
import { pageMeta } from './page-meta.ts'

export const teamsTag = { name: 'Teams', description: 'The members of a team, and their roles.' }

const tags = [teamsTag.name]

export const teamsRouter = router({
  list: procedure
    .meta({
      role: 'member',
      ofPerson: true,
      limited: 'same',
      ...pageMeta({
        of: 'teams',
        path: '/v1/teams',
        tags,
        summary: 'List teams',
        description: "By slug: the user's teams. An API key sees its own only.",
        example: teamExample,
      }),
    })
    .input(z.strictObject(pageInput))
    .output(pageSchema(teamSchema))
    .query(({ ctx, input }) => listTeams(ctx.services.store, teamCaller(ctx), input)),

  get: procedure
    .meta({
      role: 'member',
      ofPerson: true,
      limited: 'same',
      openapi: {
        method: 'GET',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Get a team',
        description:
          'With its members and invitations; for a member limited to some projects with that one alone.',
        successDescription: 'The team',
      },
      reasons: ['second_factor_required'],
      example: { response: teamDetailsExample },
    })
    .input(teamReference)
    .output(teamDetailsSchema)
    .query(({ ctx, input }) => getTeam(ctx.services.store, teamCaller(ctx), input.team)),

  put: procedure
    .meta({
      role: 'owner of it',
      ofPerson: true,
      openapi: {
        method: 'PUT',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Create or configure a team',
        description:
          "An unused slug creates a team owned by the caller's user, and returns an owner key of it, " +
          'once. By id, the team must exist. An omitted field keeps its value. For owners.',
        successDescription: 'The team',
      },
      reasons: [
        'second_factor_required',
        'name_in_use',
        'too_many_teams',
        'changed_since',
        'owner_required',
        'personal_team',
      ],
      // The first response alone has the key of a new team.
      repeatable: false,
      example: { request: putTeamExample, response: teamDetailsExample },
    })
    .input(putTeamInput)
    .output(putTeamSchema)
    .mutation(({ ctx, input: { team: slugOrId, ...changes } }) =>
      putTeam(ctx.services, teamCaller(ctx), slugOrId, changes),
    ),

  delete: procedure
    .meta({
      role: 'owner of it',
      ofPerson: true,
      openapi: {
        method: 'DELETE',
        path: '/v1/teams/{team}',
        tags,
        summary: 'Delete a team',
        description:
          'With its members and keys. It must have no projects and not be a personal team. For owners.',
        successDescription: 'The team was deleted',
      },
      reasons: ['second_factor_required', 'personal_team', 'team_has_projects'],
      example: { response: { id: teamExample.id, deleted: true } },
    })
    .input(teamReference)
    .output(deleted('team'))
    .mutation(({ ctx, input }) => deleteTeam(ctx.services, teamCaller(ctx), input.team)),

  leaving: procedure
    .meta({ role: 'owner of it', ofPerson: true })
    .input(leavingInput)
    .output(leavingSchema)
    .query(({ ctx, input }) => listLeaving(ctx.services, teamCaller(ctx), input)),

  requireSecondFactor: procedure
    .meta({ role: 'owner of it', ofPerson: true })
    .input(requireFactorInput)
    .output(teamSchema)
    .mutation(({ ctx, input }) => requireFactorIn(ctx.services, teamCaller(ctx), input)),

  invitations: procedure
    .meta({
      role: 'member',
      ofPerson: true,
      limited: 'same',
      forUnlimitedKeys: true,
      reasons: ['role_required'],
      public: {
        summary: 'List your invitations',
        description: 'With a session, or an owner key of the personal team.',
        example: { input: {}, output: { data: [invitationExample], next_cursor: null } },
      },
    })
    .input(z.strictObject(pageInput))
    .output(pageSchema(invitationSchema))
    .query(({ ctx: { services, principal }, input }) =>
      listInvitations({ db: services.store.db, nowMs: services.nowMs() }, principal, input),
    ),

  acceptInvitation: procedure
    .meta({
      role: 'member',
      ofPerson: true,
      limited: 'same',
      forUnlimitedKeys: true,
      reasons: ['role_required', 'too_many_teams'],
      public: {
        summary: 'Accept an invitation',
        example: { input: { team: 'acme' }, output: { ...teamExample, role: 'member' } },
      },
    })
    .input(teamReference)
    .output(teamSchema)
    .mutation(({ ctx, input }) => acceptInvitation(ctx.services, ctx, input.team)),

  declineInvitation: procedure
    .meta({
      role: 'member',
      ofPerson: true,
      limited: 'same',
      forUnlimitedKeys: true,
      reasons: ['role_required'],
      public: {
        summary: 'Decline an invitation',
        example: { input: { team: 'acme' }, output: { team: 'acme', declined: true } },
      },
    })
    .input(teamReference)
    .output(z.object({ team: z.string(), declined: z.literal(true) }))
    .mutation(({ ctx: { services, principal }, input }) =>
      declineInvitation(services, principal, input.team),
    ),
})
