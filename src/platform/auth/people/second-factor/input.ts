/** The inputs of requests about a second factor. */
import { z } from 'zod'
import { maxPasswordLength } from '../password.ts'

const password = z.string().min(1).max(maxPasswordLength)

const code = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The six digits of the app, or a recovery code', examples: ['123456'] })

export const startFactorInput = z.strictObject({ current_password: password })

export const confirmFactorInput = z.strictObject({ code })

export const provenInput = z.strictObject({ current_password: password, code })
