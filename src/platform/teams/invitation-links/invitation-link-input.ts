/** The inputs of requests about the links of invitations. */
import { z } from 'zod'
import { passwordSchema } from '../../people/password.ts'
import { nameSchema } from '../../people/person-input.ts'
import { teamReference } from '../team-input.ts'

export const createLinkInput = teamReference.extend({
  email: z.email().max(254).toLowerCase().meta({ description: 'An address that the team has invited' }),
})

export const revokeLinkInput = teamReference.extend({
  id: z.string().min(1).max(100).meta({ description: "The link's id" }),
})

/** The name and the password that a person without an account enters on a link's page. */
export const newAccountInput = z.object({ name: nameSchema, password: passwordSchema })

export type NewAccount = z.infer<typeof newAccountInput>
