/** What recurs on a node with the role `worker`. */
import type { BlobStore } from '../blobs/blob-store.ts'
import { encodeDue } from '../blobs/encode-due.ts'
import type { Store } from '../db/store.ts'
import { collectBlobs, collectManifests, sweepStrayObjects } from '../deployments/collect.ts'
import { expirePreviews } from '../deployments/expire.ts'
import { checkDue } from '../domains/check/due.ts'
import type { DomainResolver } from '../domains/check/resolver.ts'
import { forgetKeys } from '../idempotency/forget.ts'
import type { Routing } from '../zones/edge-targets.ts'
import type { Task } from './loop.ts'

const minuteMs = 60_000

/** A new deployment is compressed soon; asking for what is due costs one look into an index. */
const encodeEveryMs = 1_000

/** Somebody may be waiting for it. */
const checkEveryMs = 1_000

/** The recurring tasks over these stores; `stopping` aborts as soon as the node begins to stop. */
export function workerTasks({
  store,
  blobs,
  resolver,
  routing,
  nowMs,
  stopping,
}: {
  store: Store
  blobs: BlobStore
  resolver: DomainResolver
  routing: Routing
  nowMs: () => number
  stopping: AbortSignal
}): Task[] {
  const deps = () => ({ db: store.db, blobs, nowMs: nowMs() })
  return [
    { name: 'expire previews', everyMs: 10 * minuteMs, run: () => expirePreviews({ store, nowMs: nowMs() }) },
    { name: 'forget idempotency keys', everyMs: 10 * minuteMs, run: () => forgetKeys(deps()) },
    { name: 'collect manifests', everyMs: minuteMs, run: () => collectManifests(deps()) },
    { name: 'collect blobs', everyMs: minuteMs, run: () => collectBlobs(deps()) },
    {
      name: 'compress blobs',
      everyMs: encodeEveryMs,
      run: (stopping) => encodeDue({ db: store.db, blobs, nowMs, stopping }),
    },
    {
      name: 'check domains',
      everyMs: checkEveryMs,
      run: () => checkDue({ store, resolver, routing, nowMs, stopping }),
    },
    {
      name: 'sweep stray objects',
      everyMs: 360 * minuteMs,
      run: async () => {
        await sweepStrayObjects(deps())
        return false
      },
    },
  ]
}
