/** Holds the replay of a stored response to what its caller sees now. */
import { z } from 'zod'
import { isId } from '../../lib/ids.ts'
import { getDeployment } from '../../platform/deployments/read-deployment.ts'
import { getDomain } from '../../platform/domains/read-domain.ts'
import type { GuardedContext } from './guard.ts'

const record = z.object({ id: z.string() })

/**
 * Passes a stored response if its caller isn't limited to some projects, or sees what it is about. Keys are
 * the caller's own.
 * @throws AppError `deployment_not_found`, `domain_not_found`; Error for a record of another kind, of which
 * limited members make none.
 */
export async function requireSeenNow(
  { services, principal }: GuardedContext,
  answer: unknown,
): Promise<void> {
  if (principal.projects === null) return
  const { id } = record.parse(answer)
  if (isId('deployment', id)) await getDeployment(services, principal, id)
  else if (isId('domain', id)) await getDomain(services, principal, id)
  else if (!isId('key', id)) throw new Error(`A limited member has a stored response about ${id}.`)
}
