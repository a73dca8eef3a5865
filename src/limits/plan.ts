/** What a team may use how much of. The operator sets a team's plan. */
import { z } from 'zod'

export const planSchema = z.enum(['free', 'pro', 'enterprise'])

export type Plan = z.infer<typeof planSchema>
