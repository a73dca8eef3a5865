/** Tells caches, here and on other nodes, which facts have just changed. */
import { z } from 'zod'

/**
 * What changed: an API key or a session (by its token's SHA-256), what a user may do in its teams (by the user's id), a
 * team, a host label, everything of a project, a deployment, what lies at or below a registrable domain (by its name), work that waits (by its queue's name).
 */
export const changeSchema = z.strictObject({
  kind: z.enum(['key', 'session', 'member', 'team', 'host', 'project', 'deployment', 'domain', 'work']),
  id: z.string(),
})

export type Change = z.infer<typeof changeSchema>

type Listener = { changed: (change: Change) => void; missed: () => void }

export type Changes = {
  /** `changed` hears of each change, `missed` is called when some may have gone unheard. Returns the way to stop. */
  subscribe(listener: Listener): () => void
  tell(change: Change): void
  tellMissed(): void
}

export function createChanges(): Changes {
  const listeners = new Set<Listener>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(change) {
      for (const listener of listeners) listener.changed(change)
    },
    tellMissed() {
      for (const listener of listeners) listener.missed()
    },
  }
}
