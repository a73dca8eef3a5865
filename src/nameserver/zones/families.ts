/**
 * The families in memory. Each is kept until it changes, of which the store tells, and if that is lost a look at the
 * serials: so what is known goes on being answered while the database is away, and what has changed never is.
 */
import { LRUCache } from 'lru-cache'
import type { Store } from '../../db/store.ts'
import { createRounds, type Loaded } from './rounds.ts'
import { type Change, watchSerials } from './watch-serials.ts'
import type { Family } from './zone.ts'

export type Families = {
  /** What is in memory; its `family` is undefined where nobody has proven anything. */
  peek(registrable: string): Loaded | undefined
  /** From memory, else from the database. Rejects when that doesn't tell. */
  get(registrable: string): Promise<Family | undefined>
  stop(): void
}

/** All families in memory together; the names in memory of which nobody has proven anything. */
const maxBytes = 64 * 1024 * 1024
const maxFamilies = 50_000
const maxNobodys = 50_000

type Options = {
  store: Store
  nameservers: string[]
  /** Milliseconds of a clock that never jumps. */
  now?: () => number
}

/** Families of a store, loaded when they are first asked for. */
export function createFamilies({ store, nameservers, now = () => performance.now() }: Options): Families {
  const families = new LRUCache<string, Loaded>({
    max: maxFamilies,
    maxSize: maxBytes,
    // A family that fills the memory by itself has it to itself.
    sizeCalculation: ({ family }) => Math.min(1 + (family?.bytes ?? 0), maxBytes),
    dispose: ({ family }) => {
      if (family) family.validity.isCurrent = false
    },
  })
  // Apart from the others, so that no number of made-up names pushes out one that somebody has.
  const nobodys = new LRUCache<string, Loaded>({ max: maxNobodys })
  const loads = new Map<string, Promise<Family | undefined>>()
  const load = createRounds({ store, nameservers, now })

  const peek = (name: string) => families.get(name) ?? nobodys.get(name)

  function start(name: string): Promise<Family | undefined> {
    const mine: Promise<Family | undefined> = load(name)
      .then((loaded) => {
        // What was forgotten meanwhile may have been read before it changed.
        if (loads.get(name) === mine) keep(name, loaded)
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
      // A load under way ends before long, and is compared then.
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
