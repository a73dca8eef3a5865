/** The inputs of requests about a person's account. */
import { z } from 'zod'
import { passwordSchema } from './password.ts'
import { proofInput } from './second-factor/input.ts'

/** Control characters, line separators, and marks that change the direction of text. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** The name of a person, as the members of the person's teams see it. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !unseen.test(name), 'must be one line, without characters that nobody sees')

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
