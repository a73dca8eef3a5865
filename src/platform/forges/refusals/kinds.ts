/** Why what came to a project's hook was refused. */
import type { forgeRefusals } from '../../../stores/db/schema/project-repositories.ts'

export type RefusalKind = (typeof forgeRefusals.$inferSelect)['kind']

/** Each as the rest of a sentence that begins with how many were refused. */
export const refusalCauses: Record<RefusalKind, string> = {
  no_secret: 'the project has no secret, which an owner sets',
  unsigned: 'the forge signs nothing: its webhook lacks the secret',
  secret: 'the secret at the forge is another one',
  clock: 'they were signed more than 5 minutes from now, so that a clock is wrong',
  malformed: 'this is not what the forge documents',
  repository: 'they are about another repository than that of the project',
  project_limit: 'more came at once than a project may be sent',
  address_limit: 'more came at once from the addresses of the forge than they may send unsigned',
}
