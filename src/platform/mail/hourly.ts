/** Limits how often something happens within any hour, in bounded memory. Each process counts for itself. */
import { LRUCache } from 'lru-cache'

const hourMs = 3_600_000
const maxKnown = 20_000

export type Hourly = {
  /** Counts one more, unless there were too many: then false. The times needn't be in order. */
  take(id: string, nowMs: number): boolean
}

export function createHourly(most: number): Hourly {
  const timesOf = new LRUCache<string, number[]>({ max: maxKnown })
  return {
    take(id, nowMs) {
      const recent = (timesOf.get(id) ?? []).filter((ms) => Math.abs(nowMs - ms) < hourMs)
      if (recent.length >= most) return false
      timesOf.set(id, [...recent, nowMs])
      return true
    },
  }
}
