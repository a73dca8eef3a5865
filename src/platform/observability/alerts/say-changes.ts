/** Decides when to say that something is there: once when it begins, and daily while it lasts. */

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** The memory of what was said about one thing. */
export type Said = {
  /** Whether it was said to be there, and not yet to be over. */
  isOn: boolean
  /** When it was last said to have begun. */
  begunMs: number
  /** When it was last said to have begun, or to last. */
  saidMs: number
}

/**
 * The memory after saying now that something is there; undefined where there is nothing to say. Whatever
 * comes and goes is said to begin once an hour at most.
 */
export function saidNow(said: Said | undefined, nowMs: number): Said | undefined {
  if (said?.isOn) return nowMs - said.saidMs >= dayMs ? { ...said, saidMs: nowMs } : undefined
  if (said && nowMs - said.begunMs < hourMs) return undefined
  return { isOn: true, begunMs: nowMs, saidMs: nowMs }
}

/** Whether the memory of what is over keeps it from being said again. */
export function isRecent({ begunMs }: Said, nowMs: number): boolean {
  return nowMs - begunMs < hourMs
}
