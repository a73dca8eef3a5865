/** Running requests of a node: to whom, and for how long. */

/** The number of running requests by team, host and webhook; and the webhooks with a slow one. */
export type UnderWay = {
  byTeam: Map<string, number>
  byHost: Map<string, number>
  byWebhook: Map<string, number>
  slow: string[]
}

/** An answer that takes longer comes from a receiver that is slow: it gets few requests at a time. */
export const slowResponseMs = 2_000

type Request = { webhookId: string; teamId: string; host: string }

export type Requests = {
  add(id: string, request: Request, nowMs: number): void
  delete(id: string): void
  /** How many began after this time. */
  countSince(ms: number): number
  /** The total. */
  sumUp(nowMs: number): UnderWay
}

/** Counts requests; times are of one monotonic clock. */
export function countRequests(): Requests {
  const requests = new Map<string, Request & { startMs: number }>()
  return {
    add(id, request, nowMs) {
      requests.set(id, { ...request, startMs: nowMs })
    },
    delete(id) {
      requests.delete(id)
    },
    countSince(ms) {
      let before = 0
      // The oldest come first.
      for (const { startMs } of requests.values()) {
        if (startMs > ms) break
        before += 1
      }
      return requests.size - before
    },
    sumUp(nowMs) {
      const [byTeam, byHost, byWebhook] = [new Map(), new Map(), new Map()]
      const slow = new Set<string>()
      for (const { webhookId, teamId, host, startMs } of requests.values()) {
        count(byTeam, teamId)
        count(byHost, host)
        count(byWebhook, webhookId)
        if (startMs <= nowMs - slowResponseMs) slow.add(webhookId)
      }
      return { byTeam, byHost, byWebhook, slow: [...slow] }
    },
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
