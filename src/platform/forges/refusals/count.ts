/**
 * Counts what is refused of that which comes to projects' hooks, and writes the counts in batches: whoever
 * knows the address of a hook can send as much as they like.
 */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../stores/db/database.ts'
import type { RefusalKind } from './kinds.ts'

export type RefusalCounter = {
  /** Counts one refusal for a project that is connected to a repository. */
  refused(projectId: string, kind: RefusalKind): void
  /** The project was sent something with the right signature: what was refused before counts no more. */
  accepted(projectId: string): void
  /** Writes the counts in two statements. On failure they are kept for the next time. */
  flush(): Promise<void>
}

/** Further ones within a second are left out. */
const maxProjects = 10_000

/** The time by which another process has written what it had counted before something right came. */
const settledMs = 5_000

type Count = { projectId: string; kind: RefusalKind; count: number; sinceMs: number; lastMs: number }

/** A counter; call `flush` about once a second, one call at a time, and before closing the database. */
export function createRefusalCounter({ db, nowMs }: { db: Database; nowMs: () => number }): RefusalCounter {
  let counts = new Map<string, Map<RefusalKind, Count>>()
  /** When something right came last, by project. */
  const acceptedMs = new Map<string, number>()

  function add(into: typeof counts, { projectId, kind, count, sinceMs, lastMs }: Count): void {
    const known = into.get(projectId)
    if (!known && into.size >= maxProjects) return
    const ofProject = known ?? new Map<RefusalKind, Count>()
    const counted = ofProject.get(kind)
    if (!known) into.set(projectId, ofProject)
    ofProject.set(kind, {
      projectId,
      kind,
      count: count + (counted?.count ?? 0),
      sinceMs: Math.min(sinceMs, counted?.sinceMs ?? sinceMs),
      lastMs: Math.max(lastMs, counted?.lastMs ?? lastMs),
    })
  }

  async function writeCounts(): Promise<void> {
    if (counts.size === 0) return
    const batch = [...counts.values()].flatMap((ofProject) => [...ofProject.values()])
    counts = new Map()
    try {
      await addRefusals(db, batch)
    } catch (error) {
      for (const count of batch) {
        if (count.lastMs > (acceptedMs.get(count.projectId) ?? 0)) add(counts, count)
      }
      throw error
    }
  }

  async function endAccepted(): Promise<void> {
    if (acceptedMs.size === 0) return
    await endRefusals(db, acceptedMs)
    const settled = nowMs() - settledMs
    for (const [projectId, ms] of acceptedMs) if (ms < settled) acceptedMs.delete(projectId)
  }

  return {
    refused(projectId, kind) {
      const now = nowMs()
      add(counts, { projectId, kind, count: 1, sinceMs: now, lastMs: now })
    },
    accepted(projectId) {
      counts.delete(projectId)
      if (acceptedMs.has(projectId) || acceptedMs.size < maxProjects) acceptedMs.set(projectId, nowMs())
    },
    async flush() {
      await writeCounts()
      await endAccepted()
    },
  }
}

/**
 * Adds to the counts of projects that are connected still, and whose settings have not changed since. All who
 * write lock the rows in the same order.
 */
async function addRefusals(db: Database, batch: Count[]): Promise<void> {
  const ids = [...new Set(batch.map(({ projectId }) => projectId))].join(',')
  await db.execute(sql`
    insert into forge_refusals (project_id, kind, count, since_ms, last_ms)
    select came."projectId", came.kind, came.count, came."sinceMs", came."lastMs"
    from json_to_recordset(${JSON.stringify(batch)}::json)
      as came("projectId" text, kind text, count bigint, "sinceMs" bigint, "lastMs" bigint)
    join project_repositories as connected
      on connected.project_id = came."projectId" and connected.updated_ms < came."lastMs"
    where connected.project_id = any(string_to_array(${ids}, ','))
    order by 1, 2
    on conflict (project_id, kind) do update set count = forge_refusals.count + excluded.count,
      since_ms = least(forge_refusals.since_ms, excluded.since_ms),
      last_ms = greatest(forge_refusals.last_ms, excluded.last_ms)`)
}

async function endRefusals(db: Database, acceptedMs: ReadonlyMap<string, number>): Promise<void> {
  const rows = JSON.stringify([...acceptedMs].map(([projectId, ms]) => ({ projectId, ms })))
  const ids = [...acceptedMs.keys()].join(',')
  await db.execute(sql`
    with ended as materialized (
      select refused.project_id, refused.kind
      from forge_refusals as refused
      join json_to_recordset(${rows}::json) as accepted("projectId" text, ms bigint)
        on refused.project_id = accepted."projectId" and refused.last_ms <= accepted.ms
      where refused.project_id = any(string_to_array(${ids}, ','))
      order by 1, 2 for update of refused
    )
    delete from forge_refusals using ended
    where forge_refusals.project_id = ended.project_id and forge_refusals.kind = ended.kind`)
}
