/** Notes what became of a delivery. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import { forgeDeliveries } from '../../../stores/db/schema/project-repositories.ts'
import { type GitLine, logGit } from '../../git/log-lines.ts'
import { isHeld } from './claim-forge-delivery.ts'

/** The columns of a delivery that its lines in the log have. */
export const cameColumns = {
  delivery: forgeDeliveries.id,
  event: forgeDeliveries.event,
  branch: forgeDeliveries.branch,
  commit: forgeDeliveries.commit,
  pullRequest: forgeDeliveries.pullRequest,
}

const ownerColumns = { teamId: forgeDeliveries.teamId, projectId: forgeDeliveries.projectId }

/** How long the next attempt waits, by the attempts so far; after the last one there is none. */
const waitsMs = [10_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000]

/** How often a delivery is begun at all. */
export const maxAttempts = waitsMs.length + 1

/** How often a worker may end at a delivery before it is taken for one that ends its worker. */
export const maxLost = 2

const maxOutcome = 1_000

/** A delivery that a worker has claimed; `attempts` counts this one. */
export type Held = { id: string; worker: string; attempts: number }

/** Another worker has the delivery. */
export class LostDelivery extends Error {}

/** `commit` is there where it became known only now. */
type End = {
  status: 'done' | 'failed'
  outcome: string
  deploymentId?: string
  commit?: string
  nowMs: number
}

/**
 * Resolves to whether it was still this worker's. The log says what came of it in the same transaction, for
 * whoever sees the delivery ended.
 */
export async function endDelivery(
  tx: Database,
  { id, worker }: Pick<Held, 'id' | 'worker'>,
  { status, outcome, deploymentId, commit, nowMs }: End,
): Promise<boolean> {
  const [ended] = await tx
    .update(forgeDeliveries)
    .set({
      status,
      outcome: outcome.slice(0, maxOutcome),
      deploymentId: deploymentId ?? null,
      ...(commit !== undefined && { commit }),
      // What failed may be tried again.
      ...(status === 'done' && { work: null }),
      worker: null,
      leaseMs: 0,
      endedMs: nowMs,
    })
    .where(and(eq(forgeDeliveries.id, id), isHeld(worker)))
    .returning({ ...cameColumns, ...ownerColumns })
  if (!ended) return false
  await log(tx, ended, { level: status === 'failed' ? 'error' : 'info', outcome, deploymentId }, nowMs)
  return true
}

type Ended = Record<'teamId' | 'projectId', string> & GitLine['came']

function log(
  db: Database,
  { teamId, projectId, ...came }: Ended,
  line: Omit<GitLine, 'came'>,
  nowMs: number,
): Promise<void> {
  return logGit(db, { teamId, projectId }, [{ ...line, came }], nowMs)
}

/** Has it tried again later; after the last attempt it has failed. */
export async function postponeDelivery(
  tx: Database,
  { attempts, ...held }: Held,
  { why, nowMs }: { why: string; nowMs: number },
): Promise<void> {
  const waitMs = waitsMs[attempts - 1]
  if (waitMs === undefined) {
    await endDelivery(tx, held, {
      status: 'failed',
      outcome: `${why} Given up after ${attempts} attempts.`,
      nowMs,
    })
    return
  }
  const outcome = `${why} It is tried again.`
  const [postponed] = await tx
    .update(forgeDeliveries)
    .set({
      outcome: outcome.slice(0, maxOutcome),
      dueMs: nowMs + waitMs,
      worker: null,
      leaseMs: 0,
    })
    .where(and(eq(forgeDeliveries.id, held.id), isHeld(held.worker)))
    .returning({ ...cameColumns, ...ownerColumns })
  if (postponed) await log(tx, postponed, { level: 'warn', outcome }, nowMs)
}
