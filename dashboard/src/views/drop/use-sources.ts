/** The sources among what was chosen, where nothing says yet what is done with them. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Refusal } from '@/lib/refusal'
import { ManifestProblem } from '../../../../src/lib/frameworks/manifest.ts'
import { needsWorker } from '../../../../src/lib/needs-worker.ts'
import type { Chosen } from './chosen'
import { type Sources, sourcesIn } from './sources'

type Found = {
  /** Those about which the person has to decide; none where the project has a command for them. */
  sources: Sources | undefined
  /** Why nobody knows what the files are. */
  problem: Error | undefined
}

/** Until `isKnown`, the files are being looked at. */
export function useSources(chosen: Chosen, project: string | undefined): { isKnown: boolean } & Found {
  const trpc = useTRPC()
  const present = useQuery(trpc.projects.get.queryOptions(project === undefined ? skipToken : { project }))
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    let isCurrent = true
    sourcesIn(chosen)
      .then((sources): Found => ({ sources, problem: undefined }))
      // Whoever reads the other files says what is wrong with them.
      .catch((error: unknown): Found => {
        const problem = error instanceof ManifestProblem ? new Refusal(error.message) : undefined
        return { sources: undefined, problem }
      })
      .then((each) => {
        if (isCurrent) setFound(each)
      })
    return () => {
      isCurrent = false
    }
  }, [chosen])
  const isDecided =
    present.data !== undefined && needsWorker({ ...present.data.build, start: present.data.start })
  const isKnown = found !== undefined && (project === undefined || !present.isPending)
  return { isKnown, sources: isDecided ? undefined : found?.sources, problem: found?.problem }
}
