/** WebSockets to a process of a server, which may be closed after long where others need the room. */

type HeldSocket = {
  /** It is there from now on. Resolves to true once it is to be closed, to false once it has ended. */
  hold(): Promise<boolean>
  end(): void
}

export type HeldSockets = {
  create(): HeldSocket
  /** How many were open for so long that they may be closed. */
  old(): number
  /** Has all of them closed. */
  close(): void
}

/** How long a WebSocket is left alone, whoever needs its place. */
const keptMs = 60 * 60_000

type Open = { sinceMs: number; settle(isToClose: boolean): void }

export function createHeldSockets(nowMs: () => number): HeldSockets {
  const open = new Set<Open>()
  return {
    create() {
      let held: Open | undefined
      let isOver = false
      function end(isToClose = false): void {
        isOver = true
        if (held) open.delete(held)
        held?.settle(isToClose)
      }
      return {
        hold: () =>
          new Promise((settle) => {
            if (isOver) return settle(false)
            held = { sinceMs: nowMs(), settle }
            open.add(held)
          }),
        end: () => end(),
      }
    },
    old: () => [...open].filter(({ sinceMs }) => nowMs() - sinceMs >= keptMs).length,
    close() {
      for (const each of open) each.settle(true)
    },
  }
}
