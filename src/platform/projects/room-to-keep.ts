/** The part of a node's room that servers may take which run without requests, with `min` in `runtime`. */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import type { Database } from '../../stores/db/database.ts'
import { projects, type RuntimeSettings } from '../../stores/db/schema/projects.ts'
import { runtimeOf } from './runtime-settings.ts'

/** The processes and the bytes of memory that a node has for servers. */
export type Room = { processes: number; bytes: number }

type Kept = { teamId: string; bytes: number }

const mebibyte = 1024 * 1024

/** Arbitrary, but the same on every node. */
const advisoryLock = 7_368_206

/** The most projects of a team that are read: far more than any room has. */
const maxProjects = 1_000

/** The condition for projects with `min`: what isn't as at first is stored. */
export const keepsServer = sql`${projects.runtime} ->> 'min' is not null`

/**
 * Those of `all` that a node keeps running: of each team what fits a quarter of the room, and together half
 * of it, a first one of each team before any second one.
 */
export function keptWithin<S extends Kept>(all: readonly S[], room: Room): S[] {
  const teams = new Map<string, S[]>()
  for (const each of all) teams.set(each.teamId, [...(teams.get(each.teamId) ?? []), each])
  const inTurn = [...teams.values()]
    .flatMap((own) => takeWithin(own, partOf(room, 4)).map((each, turn) => ({ each, turn })))
    .sort((one, other) => one.turn - other.turn)
    .map(({ each }) => each)
  return takeWithin(inTurn, partOf(room, 2))
}

/**
 * Whether a project of the transaction's team may have its server run without requests, with these settings.
 * @throws AppError `no_room`.
 */
export async function requireRoomToKeep(
  { tx, teamId, serverRoom: room }: { tx: Database; teamId: string; serverRoom: Room },
  project: { id: string; runtime: Partial<RuntimeSettings> },
  runtime: Partial<RuntimeSettings>,
): Promise<void> {
  const [before, wanted] = [runtimeOf(project.runtime), runtimeOf(runtime)]
  if (wanted.min === 0 || (before.min > 0 && wanted.memory_bytes <= before.memory_bytes)) return
  // One at a time, so that two of them don't take the same room.
  await tx
    .select({ locked: sql`pg_advisory_xact_lock(${advisoryLock}::int, hashtext(${teamId}))::text` })
    .from(sql`(values (1)) as once`)
  const others = await keptOfTeam(tx, teamId, project.id)
  const own = { teamId, bytes: wanted.memory_bytes }
  const kept = others.map((other) => ({ teamId, bytes: runtimeOf(other.runtime).memory_bytes }))
  if (takeWithin([...kept, own], partOf(room, 4)).includes(own)) return
  const { processes, bytes } = partOf(room, 4)
  throw new AppError(
    'no_room',
    `runtime.min: a node has room for ${processes} servers of a team that always run, with ` +
      `${Math.floor(bytes / mebibyte)} MiB together. ` +
      'Set runtime.min of another project to 0, or runtime.memory_bytes to less.',
  )
}

/** The query for the team's other projects with `min`. */
function keptOfTeam(db: Database, teamId: string, projectId: string) {
  return db
    .select({ runtime: projects.runtime })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), keepsServer, ne(projects.id, projectId)))
    .orderBy(asc(projects.id))
    .limit(maxProjects)
}

/** A part of the room, of one process at least. */
function partOf({ processes, bytes }: Room, parts: number): Room {
  return { processes: Math.max(1, Math.floor(processes / parts)), bytes: Math.floor(bytes / parts) }
}

function takeWithin<S extends Kept>(all: readonly S[], room: Room): S[] {
  const taken: S[] = []
  let bytes = 0
  for (const each of all) {
    if (taken.length >= room.processes || bytes + each.bytes > room.bytes) continue
    taken.push(each)
    bytes += each.bytes
  }
  return taken
}
