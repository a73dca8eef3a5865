/** The inputs of requests about a person's account. */
import { z } from 'zod'
import { displayText } from '../../lib/names/display-text.ts'
import { passwordSchema } from './password.ts'
import { proofInput } from './second-factor/second-factor-input.ts'

/** The name of a person, as the members of the person's teams see it. */
export const nameSchema = displayText({ max: 100 })

export const updateAccountInput = z.strictObject({
  name: nameSchema.meta({
    description: "As the members of the person's teams see it",
    examples: ['Ada Lovelace'],
  }),
})

export const changePasswordInput = proofInput.extend({ new_password: passwordSchema })

export const sessionReference = z.strictObject({
  id: z.string().min(1).max(100).meta({ description: "The session's id" }),
})

export type PasswordChange = z.infer<typeof changePasswordInput>
