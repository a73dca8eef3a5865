/** The messages that one stream has yet to send: bounded, however slowly its client reads. */
import type { LiveEvent } from './messages.ts'

/** A client that is this many events behind had better read everything again. */
const maxUnread = 200

export type Inbox = {
  put(events: readonly LiveEvent[]): void
  /** Drops what is unread, which the stream replaces by one message. */
  miss(): void
  /** Makes `wait` return without anything to read. */
  wake(): void
  /** Resolves once there is something, or `wake` was called since the last time. */
  wait(): Promise<void>
  /** Empties it. */
  take(): { missed: boolean; events: LiveEvent[] }
}

export function createInbox(): Inbox {
  let events: LiveEvent[] = []
  let missed = false
  let isAwake = false
  let goOn = () => {}

  function wake(): void {
    isAwake = true
    goOn()
  }

  function miss(): void {
    events = []
    missed = true
    wake()
  }

  return {
    put(more) {
      if (events.length + more.length > maxUnread) miss()
      else {
        events.push(...more)
        wake()
      }
    },
    miss,
    wake,
    async wait() {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      isAwake = false
    },
    take() {
      const taken = { missed, events }
      missed = false
      events = []
      return taken
    },
  }
}
