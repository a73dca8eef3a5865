/** The inputs of requests about teams. */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'
import { timeMsInput } from '../../stores/db/record-fields.ts'
import { roleSchema } from '../callers/principal.ts'

export const teamReference = z.strictObject({
  team: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The team's slug or id", examples: ['acme'] }),
})

/** The most projects of a limited member; whoever needs more may as well see all. */
const maxProjects = 100

const wantedMember = z
  .strictObject({
    email: z
      .email()
      .max(254)
      .toLowerCase()
      .nullable()
      .meta({ description: 'null stands for all members without an email address' }),
    role: roleSchema,
    projects: z
      .array(z.string().min(1).max(100))
      .max(maxProjects)
      .nullable()
      .optional()
      .meta({
        description:
          'The projects to which a member is limited, by name or id. ' +
          'null: no limit; left out: as it is, and no limit for a new address. An owner has none',
      }),
  })
  .refine(({ role, projects }) => role === 'member' || !projects, {
    path: ['projects'],
    message: 'must be null or left out for an owner, who sees every project',
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
      'The complete list. New addresses are invited, and join by accepting; ' +
      'members left out are removed, and their keys revoked',
  })

/** The settable fields of a team. */
export const putTeamInput = teamReference.extend({
  name: displayText({ max: 200 }).optional().meta({ description: 'Any label; default: the slug' }),
  members: wantedMembers.optional(),
  updated_ms: timeMsInput
    .optional()
    .meta({ description: 'From a previous read: 409 if the team was changed since' }),
})

export const requireFactorInput = teamReference.extend({
  required: z.boolean().meta({ description: 'Whether sessions act in the team only with a second factor' }),
})

/** An entry of the list of members. */
export type WantedMember = z.infer<typeof wantedMember>

/** The changes of `putTeamInput`; `updated_ms` from an earlier read makes them conditional. */
export type TeamChanges = Omit<z.infer<typeof putTeamInput>, 'team'>

/** `email` is of a member. */
export const leavingInput = teamReference.extend({
  email: z
    .email()
    .max(254)
    .toLowerCase()
    .nullable()
    .meta({ description: 'null stands for all members without an email address' }),
})

export type LeavingInput = z.infer<typeof leavingInput>
