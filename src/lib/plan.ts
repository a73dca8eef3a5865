/** Plans of teams, set by the operator. */
import { z } from 'zod'

export const planSchema = z.enum(['free', 'pro', 'enterprise'])

export type Plan = z.infer<typeof planSchema>
