/** Where the browser is. The exported pages know only placeholders, so the path itself is parsed. */
import { usePathname } from 'next/navigation'
import { startTransition, useEffect, useState } from 'react'

export type Route = {
  /** The team's slug. */
  team: string
  /** The project's name; undefined on pages of the whole team. */
  project: string | undefined
  /** The segments behind: `['deployments', 'dpl_1']`. */
  rest: string[]
}

let wasMounted = false

/** Whether the page runs in a browser and has been hydrated. */
export function useMounted(): boolean {
  const [isMounted, setMounted] = useState(wasMounted)
  useEffect(() => {
    wasMounted = true
    // What is rendered then is the page itself: in slices, so that nobody waits who scrolls or types.
    startTransition(() => setMounted(true))
  }, [])
  return isMounted
}

/** The route; undefined until the page is hydrated, and at `/`. */
export function useRoute(): Route | undefined {
  const path = usePathname()
  return useMounted() ? parseRoute(path) : undefined
}

/** The parts of a path; undefined for `/`. */
function parseRoute(path: string): Route | undefined {
  const [team, second, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent)
  if (team === undefined) return undefined
  if (second === undefined || second === '~') return { team, project: undefined, rest }
  return { team, project: second, rest }
}

/** The route of a page that is only reached with one. Use it below the shell, which waits for it. */
export function useRequiredRoute(): Route {
  const route = parseRoute(usePathname())
  if (!route) throw new Error('This page is below a team.')
  return route
}

/** The project of a page below one. */
export function useProject(): string {
  const { project } = useRequiredRoute()
  if (project === undefined) throw new Error('This page is below a project.')
  return project
}
