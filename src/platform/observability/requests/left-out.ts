/** Counts the requests that are not logged, so that the log tells of them by number. */
import type { ServedResponse } from '../response-observer.ts'

type Owner = Pick<ServedResponse, 'teamId' | 'projectId' | 'deploymentId'>

/** Requests of a deployment, or of a project without one. */
export type LeftOutCount = Owner & {
  /** Counts by the first digit of the status. */
  byDigit: number[]
  fromMs: number
  toMs: number
}

export type LeftOut = {
  add(request: Owner & Pick<ServedResponse, 'status' | 'endedMs'>): void
  /** Takes out some of the counts that began by then, the oldest first. */
  take(untilMs: number): LeftOutCount[]
  putBack(taken: LeftOutCount[]): void
  /** How many requests could not be counted since the last call. */
  takeUncounted(): number
}

/** How many are written at a time. */
export const maxTaken = 500

/** The most deployments counted at a time. */
const maxCounts = 20_000

/** Empty counts. */
export function createLeftOut(): LeftOut {
  const counts = new Map<string, LeftOutCount>()
  let uncounted = 0

  function countOf({ teamId, projectId, deploymentId }: Owner, timeMs: number): LeftOutCount | undefined {
    const key = deploymentId ?? projectId
    const known = counts.get(key)
    if (known !== undefined || counts.size >= maxCounts) return known
    const owner = { teamId, projectId, deploymentId }
    const count = { ...owner, byDigit: [0, 0, 0, 0, 0, 0], fromMs: timeMs, toMs: timeMs }
    counts.set(key, count)
    return count
  }

  return {
    add(request) {
      const count = countOf(request, request.endedMs)
      if (count === undefined) {
        uncounted += 1
        return
      }
      increase(count, Math.trunc(request.status / 100), 1)
      count.toMs = request.endedMs
    },
    take(untilMs) {
      const taken: LeftOutCount[] = []
      for (const [key, count] of counts) {
        if (taken.length === maxTaken) break
        if (count.fromMs > untilMs) continue
        taken.push(count)
        counts.delete(key)
      }
      return taken
    },
    putBack(taken) {
      for (const each of taken) {
        const count = countOf(each, each.fromMs)
        if (count === undefined) uncounted += totalOf(each)
        else {
          for (const [digit, requests] of each.byDigit.entries()) increase(count, digit, requests)
          count.fromMs = Math.min(count.fromMs, each.fromMs)
          count.toMs = Math.max(count.toMs, each.toMs)
        }
      }
    },
    takeUncounted() {
      const taken = uncounted
      uncounted = 0
      return taken
    },
  }
}

/** How many requests were counted. */
export function totalOf({ byDigit }: Pick<LeftOutCount, 'byDigit'>): number {
  return byDigit.reduce((sum, requests) => sum + requests, 0)
}

function increase({ byDigit }: LeftOutCount, digit: number, by: number): void {
  byDigit[digit] = (byDigit[digit] ?? 0) + by
}
