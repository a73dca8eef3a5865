/** By what a deployment was made. */
import { z } from 'zod'
import { sourceKinds } from '../../stores/db/schema/projects.ts'
import type { Principal } from '../callers/principal.ts'

export const sourceSchema = z
  .object({
    kind: z.enum(sourceKinds).meta({ description: 'By what it was made' }),
    name: z.string().nullable().meta({
      description:
        'The name of the API key that was used, of the deploy hook, the forge or the CI system, if any',
    }),
  })
  .meta({ id: 'DeploymentSource' })

type SourceKind = z.infer<typeof sourceSchema>['kind']

/** How the command names itself (RFC 9110, section 10.1.5). */
const command = /^svc\//

/** The kind for a request of this caller; `agent` is its User-Agent. Informative: anybody may send any. */
export function sourceKindOf(principal: Principal, agent: string | undefined): SourceKind {
  if (agent !== undefined && command.test(agent)) return 'command'
  return principal.kind === 'session' || isOfSession(principal) ? 'dashboard' : 'api'
}

function isOfSession(principal: Principal): boolean {
  return principal.kind === 'jwt' && principal.sessionId !== null
}
