/** Notifies caches, on this and other nodes, of changed facts. */
import { z } from 'zod'

/**
 * A thing that changed: an API key or a session (by its token's SHA-256), a user's permissions (by the user's
 * id), a team, a host label, everything of a project, a deployment, a blob that is missing (by its object's
 * name), the zones at or below a registrable domain (by its name), queued work (by its queue's name), the
 * events of a team (by its id), a challenge or a certificate (by its name).
 */
export const changeSchema = z.strictObject({
  kind: z.enum([
    'key',
    'session',
    'member',
    'team',
    'host',
    'project',
    'deployment',
    'domain',
    'work',
    'event',
    'challenge',
    'certificate',
    'blob',
  ]),
  id: z.string(),
})

export type Change = z.infer<typeof changeSchema>

type Listener = { changed: (change: Change) => void; missed: () => void }

export type Changes = {
  /**
   * `changed` is called with each change, `missed` when some may have been lost. Returns a function to
   * unsubscribe.
   */
  subscribe(listener: Listener): () => void
  publish(change: Change): void
  publishMissed(): void
}

export function createChanges(): Changes {
  const listeners = new Set<Listener>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish(change) {
      for (const listener of listeners) listener.changed(change)
    },
    publishMissed() {
      for (const listener of listeners) listener.missed()
    },
  }
}
