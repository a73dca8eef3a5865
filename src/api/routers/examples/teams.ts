/** Examples of teams in the document of the API. */
import type { z } from 'zod'
import type { putTeamInput } from '../../../platform/teams/team-input.ts'
import type { teamDetailsSchema, teamSchema } from '../../../platform/teams/team-output.ts'
import { projectExample } from './projects.ts'

export const teamExample: z.infer<typeof teamSchema> = {
  id: 'team_019aa5d3a2b1c6e07f48d39b5a1c2e60',
  slug: 'acme',
  name: 'Acme',
  plan: 'free',
  personal: false,
  role: 'owner',
  second_factor_required: false,
  limited: false,
  created_ms: 1_790_000_000_000,
}

export const teamDetailsExample: z.infer<typeof teamDetailsSchema> = {
  ...teamExample,
  members: [
    {
      email: 'ada@example.com',
      name: 'Ada',
      role: 'owner',
      joined_ms: 1_790_000_000_000,
      unproven: false,
      projects: null,
    },
    {
      email: 'grace@example.com',
      name: null,
      role: 'member',
      joined_ms: null,
      unproven: false,
      projects: [projectExample.id],
    },
  ],
  updated_ms: 1_790_000_001_000,
}

export const putTeamExample: Omit<z.input<typeof putTeamInput>, 'team'> = {
  name: 'Acme',
  members: [
    { email: 'ada@example.com', role: 'owner' },
    { email: 'grace@example.com', role: 'member' },
  ],
}
