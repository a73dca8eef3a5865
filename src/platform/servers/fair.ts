/** Who makes room for a server that is to start. */
import type { EnvTarget } from '../projects/env.ts'
import type { Room } from '../projects/room-to-keep.ts'

/** `bytes`: what it holds, or may hold where that wasn't measured yet. */
type Holding = { teamId: string; projectId: string; isUntrusted: boolean; bytes: number }

/**
 * `requests`: how many are under way, or wait for its start; of these `oldSockets` are WebSockets that have
 * been open for long. `isEnding`: it will be gone by itself.
 */
export type RunningServer = Holding & {
  target: EnvTarget
  requests: number
  oldSockets: number
  lastUsedMs: number
  isEnding: boolean
}

/** An untrusted project has one process, since anybody can have it deployed to. */
const sharesPlace = (one: Holding, other: Holding) =>
  one.isUntrusted && other.isUntrusted && one.projectId === other.projectId

/**
 * The servers to end, so that `wanted` has room; none where there is enough, undefined where there can't be.
 *
 * Only what serves no request is ended: first untrusted ones, then previews, then production; of these one of
 * the team furthest above an equal share, of those the one that was used longest ago. A team that would be
 * above its share takes nothing from a team that is no further above, unless it has no other server. Old
 * WebSockets alone keep no server but of production; of one kind, those without any are ended first.
 */
export function makeRoom<S extends RunningServer>(
  running: readonly S[],
  wanted: Holding,
  room: Room,
): S[] | undefined {
  const mayEnd = createMayEnd(running, wanted, room)
  const chosen = running.filter((each) => each.isEnding || sharesPlace(each, wanted))
  if (chosen.some((each) => !each.isEnding && isKept(each))) return undefined
  const left = (ended: readonly S[]) => running.filter((each) => !ended.includes(each))

  while (!fits(left(chosen), wanted, room)) {
    const next = left(chosen)
      .filter((each) => !isKept(each) && mayEnd(each, left(chosen)))
      .sort((one, other) => rankOf(one) - rankOf(other) || compareUse(one, other, left(chosen), room))[0]
    if (!next) return undefined
    chosen.push(next)
  }
  return needed(chosen, (ended) => fits(left(ended), wanted, room), wanted)
}

/**
 * The servers to end since all together have grown beyond the bytes of the room: idle ones alone, in the
 * order of `makeRoom`, until the others fit.
 */
export function findOverflow<S extends RunningServer>(running: readonly S[], room: Room): S[] {
  const chosen: S[] = []
  const left = () => running.filter((each) => !each.isEnding && !chosen.includes(each))
  while (sumOf(left()) > room.bytes) {
    const [next] = left()
      .filter(({ requests }) => requests === 0)
      .sort((one, other) => rankOf(one) - rankOf(other) || compareUse(one, other, left(), room))
    if (!next) break
    chosen.push(next)
  }
  return chosen
}

/**
 * A larger one that was chosen later may have made an earlier choice unnecessary. But whoever takes another
 * team's place gives up its own that came before.
 */
function needed<S extends RunningServer>(
  chosen: S[],
  isEnough: (ended: S[]) => boolean,
  wanted: Holding,
): S[] {
  const isTaken = (each: S) => !each.isEnding && each.teamId !== wanted.teamId
  // What ends by itself is waited for only where it is needed, and spared last.
  const order = (each: S) => (isTaken(each) ? 0 : 1) + (each.isEnding ? 1 : 0)
  let kept = chosen
  for (const each of [...chosen].sort((one, other) => order(one) - order(other))) {
    const without = kept.filter((other) => other !== each)
    const isOwed = !each.isEnding && !isTaken(each) && without.some(isTaken)
    if (!isOwed && !sharesPlace(each, wanted) && isEnough(without)) kept = without
  }
  return kept
}

function fits(left: readonly Holding[], wanted: Holding, room: Room): boolean {
  return left.length < room.processes && sumOf(left) + wanted.bytes <= room.bytes
}

const sumOf = (all: readonly Holding[]) => all.reduce((sum, { bytes }) => sum + bytes, 0)

function isKept({ requests, oldSockets, ...running }: RunningServer): boolean {
  return requests > (isOfProduction(running) ? 0 : oldSockets)
}

function isOfProduction({ isUntrusted, target }: Pick<RunningServer, 'isUntrusted' | 'target'>): boolean {
  return !isUntrusted && target === 'production'
}

function rankOf({ isUntrusted, target, requests }: RunningServer): number {
  const kind = isUntrusted ? 0 : target === 'preview' ? 1 : 2
  return 2 * kind + (requests === 0 ? 0 : 1)
}

/** The part of the room that a team uses: of processes or of bytes, whichever is more. */
function useOf(teamId: string, all: readonly Holding[], room: Room): number {
  const own = all.filter((each) => each.teamId === teamId)
  return Math.max(own.length / room.processes, sumOf(own) / room.bytes)
}

/** Orders servers by the use of their teams, the largest one first, and those of one by their last use. */
function compareUse(
  one: RunningServer,
  other: RunningServer,
  left: readonly RunningServer[],
  room: Room,
): number {
  return useOf(other.teamId, left, room) - useOf(one.teamId, left, room) || one.lastUsedMs - other.lastUsedMs
}

/** Whether the team of `wanted` may have a server ended. */
function createMayEnd(running: readonly RunningServer[], wanted: Holding, room: Room) {
  const teams = new Set([wanted, ...running].map(({ teamId }) => teamId))
  const share = 1 / teams.size
  return ({ teamId }: RunningServer, left: readonly RunningServer[]): boolean => {
    if (teamId === wanted.teamId) return true
    if (!left.some((each) => each.teamId === wanted.teamId)) return true
    const afterwards = useOf(wanted.teamId, [...left, wanted], room)
    return afterwards <= share || useOf(teamId, left, room) > afterwards
  }
}
