/** The choices on a page, kept in its URL, so that a link shows the same. */
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect } from 'react'
import { createPendingSearch } from './pending-search'

export type UrlState = {
  /** The value of a parameter; `''` where it is missing. */
  get: (name: string) => string
  /** Changes some parameters; `''` removes one. */
  set: (changes: Record<string, string>) => void
}

/** The pending query of the one page that a tab has. */
const pending = createPendingSearch()

/** The parameters of the page's URL. The page needs a `Suspense` around it. */
export function useUrlState(): UrlState {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const search = params.toString()
  useEffect(() => pending.arrived(path, search), [path, search])
  const set = useCallback(
    (changes: Record<string, string>) => {
      const query = pending.change({ path, search }, changes)
      router.replace(query === '' ? path : `${path}?${query}`, { scroll: false })
    },
    [router, path, search],
  )
  return { get: (name) => params.get(name) ?? '', set }
}
