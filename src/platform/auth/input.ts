/** The inputs of requests about API keys and tokens. */
import { z } from 'zod'
import { roleSchema } from './principal.ts'

export const createKeyInput = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Any label', examples: ['deploy from CI'] }),
  role: roleSchema.default('member').meta({ description: "The key's role, at most the creator's" }),
})

export const mintInput = z.strictObject({
  team: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "A team's slug or id; for sessions only, since an API key belongs to one" }),
})

export const keyReference = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: "The key's id", examples: ['key_019aa5d3b3208fd4e7a15c60b2938d4e'] }),
})

export type CreateKey = z.infer<typeof createKeyInput>

export type Mint = z.infer<typeof mintInput>
