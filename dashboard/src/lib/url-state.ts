/** What is chosen on a page, kept in its URL, so that a link shows the same. */
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

export type UrlState = {
  /** The value of a parameter; `''` where it is missing. */
  get: (name: string) => string
  /** Changes some parameters; `''` removes one. */
  set: (changes: Record<string, string>) => void
}

/** The parameters of the page's URL. The page needs a `Suspense` around it. */
export function useUrlState(): UrlState {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  const search = params.toString()
  const set = useCallback(
    (changes: Record<string, string>) => {
      const next = new URLSearchParams(search)
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      const query = next.toString()
      router.replace(query === '' ? path : `${path}?${query}`, { scroll: false })
    },
    [router, path, search],
  )
  return { get: (name) => params.get(name) ?? '', set }
}
