/** Teams as clients see them. */
import { z } from 'zod'
import { idSchema } from '../../lib/ids.ts'
import { planSchema } from '../../lib/plan.ts'
import { returnedSecret } from '../../lib/secret.ts'
import { integer, timeMs } from '../../stores/db/record-fields.ts'
import { roleSchema } from '../callers/principal.ts'

export const teamSchema = z
  .object({
    id: idSchema('team'),
    slug: z.string().meta({ examples: ['acme'] }),
    name: z.string(),
    plan: planSchema.meta({ description: "The operator's to set" }),
    personal: z.boolean().meta({ description: "Whether it is a user's own, which can't be deleted" }),
    role: roleSchema.meta({ description: "The caller's" }),
    second_factor_required: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether sessions act in it only with a second factor' }),
    limited: z.boolean().meta({ description: 'Whether the caller sees only some of its projects' }),
    created_ms: timeMs,
  })
  .meta({ id: 'Team' })

/** A person of a team. */
const memberSchema = z.object({
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: roleSchema,
  joined_ms: timeMs.nullable().meta({ description: 'null while only invited' }),
  unproven: z.boolean().default(false).meta({
    description: "Whether the person joined by the invitation's link, and has not proven the address since",
  }),
  projects: z
    .array(idSchema('project'))
    .nullable()
    .meta({ description: 'The ids of the projects to which the member is limited; null without a limit' }),
})

export const teamDetailsSchema = teamSchema
  .extend({
    members: z.array(memberSchema).meta({ description: 'For a member who is limited, that one alone' }),
    updated_ms: timeMs,
  })
  .meta({ id: 'TeamDetails' })

export const putTeamSchema = teamDetailsSchema
  .extend({
    api_key: returnedSecret(z.string().optional(), {
      description: 'An owner key of a team that was just created',
    }),
  })
  .meta({ id: 'PutTeam' })

/** An invitation as the invited person sees it. */
export const invitationSchema = z.object({
  team: z.string().meta({ description: "The team's slug" }),
  name: z.string(),
  role: roleSchema,
  created_ms: timeMs,
})

const endsSchema = z.object({
  count: integer,
  names: z.array(z.string()).meta({ description: 'Of the newest 20' }),
})

/** All that acts in a member's name: but for the connections to repositories it ends with the membership. */
export const leavingSchema = z.object({
  keys: endsSchema,
  share_links: endsSchema,
  deploy_hooks: endsSchema,
  trust_policies: endsSchema,
  invitation_links: endsSchema,
  repositories: endsSchema.meta({
    description: 'Projects whose pushes at a forge deploy in its name. They go on',
  }),
  builds: endsSchema.meta({ description: 'Those that have not ended, but for pushes at a forge' }),
})

export type Leaving = z.infer<typeof leavingSchema>

export type TeamRecord = z.infer<typeof teamSchema>

export type MemberRecord = z.infer<typeof memberSchema>

export type TeamDetails = z.infer<typeof teamDetailsSchema>

export type InvitationRecord = z.infer<typeof invitationSchema>
