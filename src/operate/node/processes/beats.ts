/** Notices that another process does not respond: its event loop stands still, or it has been stopped. */

export type BeatLimits = {
  /** How often the process is looked at. */
  everyMs: number
  /** After so much silence it is late. */
  lateMs: number
  /** After so much it is gone. */
  goneMs: number
  /** The same until it has responded for the first time. */
  startMs: number
}

export const usualBeats: BeatLimits = { everyMs: 500, lateMs: 3_000, goneMs: 10_000, startMs: 60_000 }

type Watched = {
  /** Resolves when the process responds. */
  ask(): Promise<unknown>
  onLate(): void
  onGone(): void
}

export type Watch = { isLate(): boolean; end(): void }

/**
 * Asks until it is ended, or the process is gone. Silence counts only while this process itself runs: after a
 * pause of the whole machine, or of this event loop, responses may be waiting that nobody has read yet.
 */
export function watchBeats(
  { ask, onLate, onGone }: Watched,
  { everyMs, lateMs, goneMs, startMs }: BeatLimits = usualBeats,
  now: () => number = () => performance.now(),
): Watch {
  let silentMs = 0
  let hasResponded = false
  let isAsking = false
  let lastMs = now()

  function askAgain(): void {
    if (isAsking) return
    isAsking = true
    ask().then(
      () => {
        isAsking = false
        hasResponded = true
        silentMs = 0
      },
      // The channel is closed: whoever closed it knows.
      () => clearInterval(timer),
    )
  }

  const timer = setInterval(() => {
    const wasLate = silentMs >= lateMs
    silentMs += Math.min(now() - lastMs, 2 * everyMs)
    lastMs = now()
    if (silentMs >= (hasResponded ? goneMs : startMs)) {
      clearInterval(timer)
      onGone()
      return
    }
    if (hasResponded && silentMs >= lateMs && !wasLate) onLate()
    askAgain()
  }, everyMs).unref()
  askAgain()
  return {
    isLate: () => hasResponded && silentMs >= lateMs,
    end: () => clearInterval(timer),
  }
}
