/** Delivers events to webhooks as long as the node runs. */
import { LRUCache } from 'lru-cache'
import { inGroups } from '../../db/in-groups.ts'
import type { Store } from '../../db/store.ts'
import { deliveryQueue } from '../../events/record-events.ts'
import type { Logger } from '../../log.ts'
import { startQueue } from '../../queue/queue.ts'
import { unseal } from '../../seal.ts'
import { claimDeliveries, type Job } from './claim.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { type Result, recordResults } from './record.ts'
import type { Sender } from './send.ts'

/** Requests of a node at a time, also of slow receivers; and how many of them may be of those that aren't slow yet. */
const maxUnderWay = 2_000
const maxQuick = 1_024

/** Where so many are under way, others are taken together once there is room for this many: a look for each costs more. */
const minTaken = 256

/** A request that has taken this long no longer keeps others from being sent. */
const slowMs = 1_000

/** Secrets that are kept open. */
const maxSecrets = 1_000

/** What waits for a retry is looked for this often. */
const pollMs = 1_000

type Deps = {
  store: Store
  sender: Sender
  key: Buffer
  log: Logger
  nowMs: () => number
  /** Is told of each attempt. */
  observe?: (status: Outcome['status'], durationMs: number) => void
}

/** Starts delivering. The function that it returns takes no more, and resolves when what was under way has ended. */
export function startDeliveries({ store, sender, key, log, nowMs, observe }: Deps): () => Promise<void> {
  const underWay = new Map<string, { webhookId: string; startMs: number }>()
  const record = inGroups((results: Result[]) => recordResults(store.db, results, nowMs()))
  const secrets = new LRUCache<string, string>({ max: maxSecrets })
  let after = ''

  /** Round by round through the webhooks, so that each has its turn however many have something due. */
  async function claim(limit: number): Promise<Job[]> {
    const most = Math.min(limit, maxQuick - countQuick())
    if (most < minTaken) return []
    const first = await take(most)
    if (first.length >= most || after === '') {
      after = first.length < most ? '' : lastOf(first)
      return first
    }
    after = ''
    const more = await take(most - first.length)
    if (more.length > 0) after = lastOf(more)
    return [...first, ...more]
  }

  async function take(limit: number): Promise<Job[]> {
    if (limit <= 0) return []
    const jobs = await claimDeliveries(store.db, { limit, after, underWay: countByWebhook(), nowMs: nowMs() })
    const startMs = performance.now()
    for (const { id, webhookId } of jobs) underWay.set(id, { webhookId, startMs })
    return jobs
  }

  function countQuick(): number {
    const quickSinceMs = performance.now() - slowMs
    let slow = 0
    // The oldest come first.
    for (const { startMs } of underWay.values()) {
      if (startMs > quickSinceMs) break
      slow += 1
    }
    return underWay.size - slow
  }

  function countByWebhook(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { webhookId } of underWay.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    return counts
  }

  /** Opened once for many deliveries: a webhook's secret never changes. */
  function secretOf({ webhookId, sealedSecret }: Job): string {
    const known = secrets.get(webhookId)
    if (known !== undefined) return known
    const secret = unseal(key, webhookId, sealedSecret)
    secrets.set(webhookId, secret)
    return secret
  }

  async function deliver(job: Job, stopping: AbortSignal): Promise<void> {
    const { id, attempts, webhookId, eventId, url } = job
    const startMs = performance.now()
    const body = JSON.stringify({
      id: eventId,
      type: job.type,
      created_ms: job.createdMs,
      team: job.team,
      data: job.data,
    })
    const secret = secretOf(job)
    const message = { url, secret, id: eventId, body, sentMs: nowMs() }
    // To its receiver it is no longer under way once it is answered, while it is still to be recorded.
    const answer = await sender.send(message, stopping).finally(() => underWay.delete(id))
    // Broken off by the stop of this node: another sends it, after the lease.
    if (!answer) return
    const durationMs = Math.round(performance.now() - startMs)
    const outcome = outcomeOf(answer, attempts, nowMs())
    observe?.(outcome.status, durationMs)
    await record({ ...outcome, id, attempts, webhookId, durationMs })
  }

  const stop = startQueue<Job>(
    {
      name: deliveryQueue,
      concurrency: maxUnderWay,
      pollMs,
      claim,
      about: ({ id, webhookId, eventId }) => ({ delivery: id, webhook: webhookId, event: eventId }),
      run: (job, stopping) => deliver(job, stopping).finally(() => underWay.delete(job.id)),
    },
    { changes: store.changes, log },
  )
  return async () => {
    await stop()
    await sender.close()
  }
}

function lastOf(jobs: Job[]): string {
  const ids = jobs.map(({ webhookId }) => webhookId)
  return ids.sort().at(-1) ?? ''
}
