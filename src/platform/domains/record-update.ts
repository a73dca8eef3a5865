/** Records what changed in a claim's settings. */
import { eq, sql } from 'drizzle-orm'
import { domains } from '../../stores/db/schema/domains.ts'
import { projects } from '../../stores/db/schema/projects.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { type Change, differences } from '../../stores/events/changes.ts'
import type { Actor } from '../callers/actor.ts'
import { domainUpdatedEvent, summaryColumns } from '../zones/claims/claim-event.ts'
import type { Claim } from '../zones/claims/claim-name.ts'
import { recordDomainEvents } from './record-domain-events.ts'

type Settings = Pick<Claim, 'id' | 'projectId' | 'redirectTo' | 'redirectStatus'>

/** Adds an event that has the claim's settings as they were `before` and are now; none where none changed. */
export async function recordUpdate(
  tx: Transaction,
  by: { actor: Actor; nowMs: number },
  before: Settings,
  ofCertificate: Change[],
): Promise<void> {
  const [now] = await tx
    .select({
      ...summaryColumns,
      redirectTo: domains.redirectTo,
      redirectStatus: domains.redirectStatus,
      projectBefore: sql<string | null>`(
        select ${projects.name} from ${projects} where ${projects.id} = ${before.projectId}::text)`,
    })
    .from(domains)
    .where(eq(domains.id, before.id))
  if (!now) throw new Error('A claim that was just written is gone.')
  const { projectBefore, redirectTo: _to, redirectStatus: _status, ...claim } = now
  const changes = [
    ...differences({ project: projectBefore }, { project: claim.project }),
    ...redirectChanges(before, now),
    ...ofCertificate,
  ]
  if (changes.length === 0) return
  await recordDomainEvents(tx, by, [domainUpdatedEvent(claim, before.projectId, changes)])
}

type Redirects = Pick<Settings, 'redirectTo' | 'redirectStatus'>

/** The change of a redirect, as far as there is one. */
export function redirectChanges(before: Redirects, after: Redirects): Change[] {
  return differences({ redirect: redirectText(before) }, { redirect: redirectText(after) })
}

function redirectText({ redirectTo, redirectStatus }: Redirects): string | null {
  return redirectTo === null ? null : `${redirectStatus} to ${redirectTo}`
}
