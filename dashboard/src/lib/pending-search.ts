/**
 * The query of a page that was chosen last. The router takes a moment until the URL has it: what is chosen
 * meanwhile is a change of that one, not of the URL.
 */

type Pending = {
  path: string
  search: string
  /** Which queries the URL may have until then. */
  passing: Set<string>
}

export type PendingSearch = {
  /** The query at `path` with these changes, in each of which `''` removes a parameter. */
  change(at: { path: string; search: string }, changes: Record<string, string>): string
  /** Notes which query the URL has by now. */
  arrived(path: string, search: string): void
}

/** For one page at a time, as a tab has. */
export function createPendingSearch(): PendingSearch {
  let pending: Pending | undefined
  return {
    change({ path, search }, changes) {
      const before = pending?.path === path && pending.passing.has(search) ? pending : undefined
      const next = new URLSearchParams(before?.search ?? search)
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      const passing = new Set(before ? [...before.passing, before.search] : [search])
      pending = { path, search: next.toString(), passing }
      return pending.search
    },
    arrived(path, search) {
      const isAwaited = pending?.path === path && pending.search !== search && pending.passing.has(search)
      if (!isAwaited) pending = undefined
    },
  }
}
