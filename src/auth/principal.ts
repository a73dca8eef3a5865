/** Who is calling, as the rest of the program sees it. */
import { z } from 'zod'

/** What a role may do is in roles.ts; `owner` may do all that `member` may. */
export const roleSchema = z.enum(['owner', 'member'])

export type Role = z.infer<typeof roleSchema>

/** A caller whose credential was checked; `role` is what it may do now, in `teamId`. */
export type Principal = {
  kind: 'key'
  keyId: string
  userId: string
  teamId: string
  teamSlug: string
  role: Role
}
