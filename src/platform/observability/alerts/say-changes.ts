/** Decides when to say that something is there: once when it begins, and daily while it lasts. */

/** Whatever comes and goes is said to begin once an hour at most. */
export const beginsEveryMs = 60 * 60_000

/** While it lasts. */
export const lastsEveryMs = 24 * 60 * 60_000

/** The memory of what was said about one thing. */
export type Said = {
  /** Whether it was said to be there, and not yet to be over. */
  isOn: boolean
  /** When it was last said to have begun. */
  begunMs: number
  /** When it was last said to have begun, or to last. */
  saidMs: number
}

/** The memory after saying now that something is there; undefined where there is nothing to say. */
export function saidNow(said: Said | undefined, nowMs: number): Said | undefined {
  if (said?.isOn) return nowMs - said.saidMs >= lastsEveryMs ? { ...said, saidMs: nowMs } : undefined
  if (said && isRecent(said, nowMs)) return undefined
  return { isOn: true, begunMs: nowMs, saidMs: nowMs }
}

/** Whether the memory of what is over keeps it from being said again. */
export function isRecent({ begunMs }: Said, nowMs: number): boolean {
  return nowMs - begunMs < beginsEveryMs
}
