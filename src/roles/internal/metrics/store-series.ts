/** Series of the database: availability, and queued work. */
import { type Backlog, readBacklog, type Waiting } from '../../../platform/observability/backlog.ts'
import { countCertificates } from '../../../platform/observability/certificates.ts'
import { readStored } from '../../../platform/observability/stored-bytes.ts'
import { connectionStates, countConnections } from '../../../stores/db/connections.ts'
import type { Store } from '../../../stores/db/store.ts'
import { createCachedProbe } from './cached-probe.ts'
import type { Series } from './series.ts'

/** The interval and the timeout of queries, however often the node is scraped. */
const timing = { keepMs: 3_000, waitMs: 2_000 }

/** All rows are read for it. */
const certificateTiming = { keepMs: 60_000, waitMs: 1_000 }

/** Counting all blobs takes a while if there are millions: rarely, and the next scrape has the result. */
const counted = { keepMs: 10 * 60_000, waitMs: 200 }

const queues: [name: string, of: (backlog: Backlog) => Waiting][] = [
  ['builds', ({ builds }) => builds],
  ['deliveries', ({ deliveries }) => deliveries],
  ['domain_checks', ({ domainChecks }) => domainChecks],
  ['compressions', ({ compressions }) => compressions],
]

type Deps = { store: Pick<Store, 'db'>; nowMs: () => number }

export function storeSeries({ store: { db }, nowMs }: Deps): Series[] {
  const look = createCachedProbe(async () => {
    const startMs = performance.now()
    const [backlog, connections] = await Promise.all([readBacklog(db, nowMs()), countConnections(db)])
    return { backlog, connections, seconds: (performance.now() - startMs) / 1_000, atMs: nowMs() }
  }, timing)
  const stored = createCachedProbe(() => readStored(db), counted)
  const certificates = createCachedProbe(() => countCertificates(db), certificateTiming)
  type Look = NonNullable<Awaited<ReturnType<typeof look>>>

  const read = (pick: (found: Look) => { labels: Record<string, string>; value: number }[]) => async () => {
    const found = await look()
    return found ? pick(found) : []
  }
  const one = (pick: (found: Look) => number) => read((found) => [{ labels: {}, value: pick(found) }])
  const ofBlobs = (pick: 'blobs' | 'bytes') => async () => {
    const found = await stored()
    return found ? [{ labels: {}, value: found[pick] }] : []
  }
  const states = ['active', 'pending', 'failed'] as const
  const of = { type: 'gauge', labels: [] as string[] } as const
  return [
    {
      ...of,
      name: 'svc_store_up',
      help:
        'Whether the database responded within two seconds; ' +
        'while it is 0, series from the database are absent.',
      read: async () => [{ labels: {}, value: (await look()) ? 1 : 0 }],
    },
    {
      ...of,
      name: 'svc_store_answer_seconds',
      help: 'How long that took, including the wait for a free connection.',
      read: one(({ seconds }) => seconds),
    },
    {
      ...of,
      name: 'svc_store_connections',
      help: `PostgreSQL's connections of all nodes together. state: ${connectionStates.join(', ')}.`,
      labels: ['state'],
      read: read(({ connections }) =>
        connections.map(({ state, count }) => ({ labels: { state }, value: count })),
      ),
    },
    {
      ...of,
      name: 'svc_queue_waiting',
      help:
        'Due work that has not begun, counted up to 100000. ' +
        'queue: builds, deliveries, domain_checks, compressions.',
      labels: ['queue'],
      read: read(({ backlog }) =>
        queues.map(([queue, waiting]) => ({ labels: { queue }, value: waiting(backlog).count })),
      ),
    },
    {
      ...of,
      name: 'svc_queue_oldest_seconds',
      help: 'For how long the oldest of it has been due; 0 if there is none.',
      labels: ['queue'],
      read: read(({ backlog, atMs }) =>
        queues.map(([queue, waiting]) => {
          const { sinceMs } = waiting(backlog)
          const seconds = sinceMs === null ? 0 : Math.max(0, atMs - sinceMs) / 1_000
          return { labels: { queue }, value: seconds }
        }),
      ),
    },
    {
      ...of,
      name: 'svc_builds_running',
      help: 'Running builds on all nodes.',
      read: one(({ backlog }) => backlog.building),
    },
    {
      ...of,
      name: 'svc_webhook_deliveries_pending',
      help: 'Deliveries that are due, running, or scheduled for a retry; counted up to 100000.',
      read: one(({ backlog }) => backlog.pendingDeliveries),
    },
    {
      ...of,
      name: 'svc_blobs',
      help: 'Blobs of all teams, counted every ten minutes.',
      read: ofBlobs('blobs'),
    },
    {
      ...of,
      name: 'svc_blob_bytes',
      help: 'Their bytes, including compressed variants.',
      read: ofBlobs('bytes'),
    },
    {
      ...of,
      name: 'svc_certificates',
      help:
        'Names whose certificates are ordered here. ' +
        'state: active, pending, failed (without one, after an order that failed).',
      labels: ['state'],
      read: async () => {
        const found = await certificates()
        return found ? states.map((state) => ({ labels: { state }, value: found[state] })) : []
      },
    },
  ]
}
