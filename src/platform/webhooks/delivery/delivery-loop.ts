/** Delivers events to webhooks as long as the node runs. */
import { LRUCache } from 'lru-cache'
import type { Logger } from '../../../lib/log/logger.ts'
import { unseal } from '../../../stores/data-dir/seal.ts'
import { inGroups } from '../../../stores/db/in-groups.ts'
import type { Store } from '../../../stores/db/store.ts'
import { deliveryQueue } from '../../../stores/events/record-events.ts'
import { startQueue } from '../../../stores/queue/queue.ts'
import { hasSecretAddress } from '../formats/format.ts'
import type { Mailer } from '../mails/send-mails.ts'
import type { Sender } from './attempt.ts'
import { deliveryBody } from './body.ts'
import { claimDeliveries, type Job } from './claim-delivery.ts'
import { type Outcome, outcomeOf, outcomeOfMails } from './outcome.ts'
import { type Result, recordResults } from './record-results.ts'
import { countRequests } from './under-way.ts'

/**
 * Concurrent requests of a node, including slow receivers; and how many may be to receivers that aren't slow
 * yet. At the limit, the next ones are claimed once there is room for `together`: a query for each costs
 * more.
 */
const usualRoom = { all: 2_000, quick: 1_024, together: 256 }

/** A request that has taken this long no longer counts against the others. */
const slowMs = 1_000

/** The most cached secrets. */
const maxSecrets = 1_000

/** How often retries are polled. */
const pollMs = 1_000

type Deps = {
  store: Store
  sender: Sender
  mailer: Mailer
  /** Where links for people lead; undefined while, or where, that is unknown. */
  apiUrl: () => string | undefined
  key: Buffer
  log: Logger
  nowMs: () => number
  /** Observes each attempt. */
  observe?: (status: Outcome['status'], durationMs: number) => void
  room?: typeof usualRoom
}

/** Starts delivering. The returned function stops, and resolves when running requests have ended. */
export function startDeliveries(deps: Deps): () => Promise<void> {
  const { store, key, log, nowMs, observe, room = usualRoom } = deps
  const underWay = countRequests()
  const record = inGroups((results: Result[]) => recordResults(store.db, results, nowMs()))
  const secrets = new LRUCache<string, string>({ max: maxSecrets })
  let after: string | undefined

  /** Round-robin over the teams, so that each gets its turn. */
  async function claim(free: number): Promise<Job[]> {
    const quick = room.quick - underWay.countSince(performance.now() - slowMs)
    if (quick < room.together) return []
    const most = Math.min(free, quick)
    const jobs = await take(most, free)
    if (jobs.length < most && after !== undefined) {
      after = undefined
      jobs.push(...(await take(most - jobs.length, free - jobs.length)))
    }
    after = jobs.length < most ? undefined : lastOf(jobs)
    return jobs
  }

  /**
   * A team or a host with half as many running requests as there is room for beside them gets no more: so
   * there is always room left for the next.
   */
  async function take(limit: number, free: number): Promise<Job[]> {
    const startMs = performance.now()
    const jobs = await claimDeliveries(store.db, {
      limit,
      share: Math.floor(free / 2),
      after,
      underWay: underWay.sumUp(startMs),
      nowMs: nowMs(),
    })
    for (const job of jobs) underWay.add(job.id, job, performance.now())
    return jobs
  }

  /** Decrypted once for many deliveries: a webhook's secret never changes. */
  function secretOf({ webhookId, sealedSecret }: Job): string {
    const known = secrets.get(webhookId)
    if (known !== undefined) return known
    const secret = unseal(key, webhookId, sealedSecret)
    secrets.set(webhookId, secret)
    return secret
  }

  async function attempt(job: Job, stopping: AbortSignal): Promise<Outcome | undefined> {
    const { format, attempts, eventId: id, url } = job
    const [secret, body] = [secretOf(job), deliveryBody(format, job, deps.apiUrl())]
    if (format === 'mail') {
      const mailed = await deps.mailer.send(job, { secret, body }, stopping)
      return mailed && outcomeOfMails(mailed, attempts, nowMs())
    }
    const address = hasSecretAddress(format) ? { url: secret, secret: null } : { url, secret }
    const answer = await deps.sender.send({ ...address, id, body, sentMs: nowMs() }, stopping)
    return answer && outcomeOf(answer, job, nowMs())
  }

  async function deliver(job: Job, stopping: AbortSignal): Promise<void> {
    const { id, attempts, webhookId } = job
    const startMs = performance.now()
    // The receiver has responded, so it no longer counts as running while it is being recorded.
    const outcome = await attempt(job, stopping).finally(() => underWay.delete(id))
    // Aborted by the stop of this node: another one sends it, after the lease.
    if (!outcome) return
    const durationMs = Math.round(performance.now() - startMs)
    observe?.(outcome.status, durationMs)
    await record({ ...outcome, id, attempts, webhookId, durationMs })
  }

  const stop = startQueue<Job>(
    {
      name: deliveryQueue,
      concurrency: room.all,
      pollMs,
      claim,
      about: ({ id, webhookId, eventId }) => ({ delivery: id, webhook: webhookId, event: eventId }),
      run: (job, stopping) => deliver(job, stopping).finally(() => underWay.delete(job.id)),
    },
    { changes: store.changes, log },
  )
  return async () => {
    await stop()
    await deps.sender.close()
  }
}

/** The last of the teams, by id. */
function lastOf(jobs: Job[]): string | undefined {
  const ids = jobs.map(({ teamId }) => teamId)
  return ids.sort().at(-1)
}
