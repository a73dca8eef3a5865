'use client'
/** A page on which a folder or a zip may be dropped. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { Problem } from '@/ui/problem'
import type { Chosen } from './chosen'
import { DropTarget } from './drop-target'

const DeployDialog = lazy(() =>
  import('./deploy-dialog').then((module) => ({ default: module.DeployDialog })),
)

/**
 * Render `layer` where it stays while the page changes. `deploy` opens the dialog for what was chosen
 * otherwise. Deploys to `project`, and without one to a new project.
 */
export function useDrop(project?: string): { deploy: (chosen: Chosen) => void; layer: ReactNode } {
  const [chosen, setChosen] = useState<Chosen>()
  const [error, setError] = useState<unknown>()
  const deploy = useCallback((next: Chosen) => {
    setError(undefined)
    setChosen(next)
  }, [])
  const title = project === undefined ? 'Drop to make a project of it' : `Drop to deploy to ${project}`
  const layer = (
    <>
      <DropTarget title={title} onChosen={deploy} onProblem={setError} />
      {error !== undefined && <Problem error={error} title="The files could not be read" />}
      {chosen && (
        <Suspense>
          <DeployDialog chosen={chosen} project={project} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
  return { deploy, layer }
}
