/** Examples of invitations and their links in the document of RPC. */

import type { z } from 'zod'
import type { createLinkInput } from '../../../platform/teams/invitation-links/invitation-link-input.ts'
import type { InvitationLinkRecord } from '../../../platform/teams/invitation-links/invitation-link-output.ts'
import type { InvitationRecord } from '../../../platform/teams/team-output.ts'

export const invitationExample: InvitationRecord = {
  team: 'acme',
  name: 'Acme',
  role: 'member',
  created_ms: 1_790_000_000_000,
}

export const newInvitationLinkExample: z.input<typeof createLinkInput> = {
  team: 'acme',
  email: 'grace@example.com',
}

export const invitationLinkExample: InvitationLinkRecord = {
  id: 'inv_019aa5d3b3208fd4e7a15c60b2938d4e',
  email: 'grace@example.com',
  role: 'member',
  created_by: 'usr_019aa5d1f0a47c3be2d95f8043b7a61c',
  created_by_name: 'Ada',
  created_ms: 1_790_000_000_000,
  expires_ms: 1_790_604_800_000,
  ended: null,
}
