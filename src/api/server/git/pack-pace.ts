/** Whether a pack comes too slowly to keep a place that somebody else waits for. */

/** The window is looked at in so many parts. */
export const ticksInWindow = 30

export type PackPace = {
  came(bytes: number): void
  /** Called at the end of each part of the window: whether the pack was slow during all of the last one. */
  tick(): boolean
}

/** A pack is slow while less than `dueBytes` came within the window. */
export function createPackPace(dueBytes: number): PackPace {
  let parts: number[] = []
  let bytes = 0
  return {
    came(more) {
      bytes += more
    },
    tick() {
      parts = [...parts, bytes].slice(-ticksInWindow)
      bytes = 0
      return parts.length === ticksInWindow && parts.reduce((sum, each) => sum + each, 0) < dueBytes
    },
  }
}
