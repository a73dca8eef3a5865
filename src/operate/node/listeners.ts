/** The listening servers, which are closed all at once. */

/** Stops accepting, and waits up to `waitMs` for what is under way. */
type Listener = { close(waitMs: number): Promise<void> }

/** Closes all together, since `stopMs` is the time of the whole stop. */
export function createListeners(stopMs: number) {
  const listeners: Listener[] = []
  return {
    add<L extends Listener>(listener: L): L {
      listeners.push(listener)
      return listener
    },
    async close(): Promise<void> {
      await Promise.all(listeners.map(({ close }) => close(stopMs)))
    },
  }
}
