/** The sources among what was chosen, where nothing says yet what is done with them. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '@/lib/api'
import type { Chosen } from './chosen'
import { type Sources, sourcesIn } from './sources'

/**
 * `sources` about which the person has to decide: none where the project has a build command. Until
 * `isKnown`, the files are being looked at.
 */
export function useSources(
  chosen: Chosen,
  project: string | undefined,
): { isKnown: boolean; sources: Sources | undefined } {
  const trpc = useTRPC()
  const present = useQuery(trpc.projects.get.queryOptions(project === undefined ? skipToken : { project }))
  const [found, setFound] = useState<{ sources: Sources | undefined }>()
  useEffect(() => {
    let isCurrent = true
    sourcesIn(chosen)
      // Whoever reads the files says what is wrong with them.
      .catch(() => undefined)
      .then((sources) => {
        if (isCurrent) setFound({ sources })
      })
    return () => {
      isCurrent = false
    }
  }, [chosen])
  const isDecided = Boolean(present.data?.build.build_command)
  const isKnown = found !== undefined && (project === undefined || !present.isPending)
  return { isKnown, sources: isDecided ? undefined : found?.sources }
}
