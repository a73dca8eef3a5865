/**
 * The families in memory. Each is cached until a notification or a poll of the serials reports a change, so
 * that answers continue while the database is unavailable, but are never stale otherwise.
 */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../../stores/db/store.ts'
import { createRounds, type Loaded } from './batched-loads.ts'
import type { OwnZones } from './load.ts'
import { type Change, watchSerials } from './watch-serials.ts'
import type { Family } from './zone.ts'

export type Families = {
  /** The cached entry; its `family` is undefined if nothing is verified. */
  peek(registrable: string): Loaded | undefined
  /** From memory, else from the database. Rejects when that fails. */
  get(registrable: string): Promise<Family | undefined>
  stop(): void
}

/** Memory for all families together; and the number of cached names without one. */
const maxBytes = 64 * 1024 * 1024
const maxFamilies = 50_000
const maxNobodys = 50_000

type Options = OwnZones & {
  store: Store
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Families of a store, loaded on demand. */
export function createFamilies({ store, now = () => performance.now(), ...ownZones }: Options): Families {
  const families = new LRUCache<string, Loaded>({
    max: maxFamilies,
    maxSize: maxBytes,
    // A family larger than the memory replaces all others.
    sizeCalculation: ({ family }) => Math.min(1 + (family?.bytes ?? 0), maxBytes),
    dispose: ({ family }) => {
      if (family) family.validity.isCurrent = false
    },
  })
  // Separate, so that made-up names can't evict real ones.
  const nobodys = new LRUCache<string, Loaded>({ max: maxNobodys })
  const loads = new Map<string, Promise<Family | undefined>>()
  const load = createRounds({ store, now, ...ownZones })

  const peek = (name: string) => families.get(name) ?? nobodys.get(name)

  function start(name: string): Promise<Family | undefined> {
    const mine: Promise<Family | undefined> = load(name)
      .then((loaded) => {
        // An entry that was evicted during the load may have been read before the change: it is used once.
        if (loads.get(name) === mine) keep(name, loaded)
        else if (loaded.family) loaded.family.validity.isCurrent = false
        return loaded.family
      })
      .finally(() => {
        if (loads.get(name) === mine) loads.delete(name)
      })
    loads.set(name, mine)
    return mine
  }

  function keep(name: string, loaded: Loaded): void {
    forget(name)
    if (loaded.family) families.set(name, loaded)
    else nobodys.set(name, loaded)
  }

  function forget(name: string): void {
    families.delete(name)
    nobodys.delete(name)
    loads.delete(name)
  }

  function compare(changes: Change[]): void {
    for (const { name, serial } of changes) {
      const known = families.peek(name) ?? nobodys.peek(name)
      // A running load ends soon, and is compared then.
      if (known && known.serial !== serial) forget(name)
    }
  }

  function forgetAll(): void {
    families.clear()
    nobodys.clear()
    loads.clear()
  }

  const watch = watchSerials({
    lookUps: store.lookUps,
    isNeeded: () => families.size + nobodys.size + loads.size > 0,
    compare,
    forgetAll,
    now,
  })
  const unsubscribe = store.changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'domain') forget(id)
    },
    missed: watch.lookNow,
  })

  return {
    peek,
    async get(name) {
      const known = peek(name)
      return known ? known.family : (loads.get(name) ?? start(name))
    },
    stop() {
      unsubscribe()
      watch.stop()
    },
  }
}
