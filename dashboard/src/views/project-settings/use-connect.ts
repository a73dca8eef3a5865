'use client'
/** Connects a project to a repository. */
import { useMutation } from '@tanstack/react-query'
import { type Inputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { type ProjectRecord, useSave } from './use-save'

type Git = NonNullable<Inputs['projects']['put']['git']> & { url: string; token?: string }

/**
 * A function that saves how the repository is deployed, with its state. The forge is asked first, so that
 * nothing is saved of an address or a token with which nothing could be read; the token that is kept is not
 * known here, and was right once.
 */
export function useConnect(project: ProjectRecord, onSaved: (saved: ProjectRecord) => void) {
  const trpc = useTRPC()
  const inspect = useMutation(trpc.git.inspect.mutationOptions())
  const { save, isSaving, error: refused } = useSave(project, onSaved, 'The repository is connected.')
  const error = inspect.error ?? refused
  const { fields } = problemOf(error)
  return {
    connect(git: Git): void {
      const { url, provider, token } = git
      if (url === project.git.url && token === undefined) {
        inspect.reset()
        save({ git })
        return
      }
      const seen = { url, ...(provider && { provider }), ...(token !== undefined && { token }) }
      inspect.mutate({ git: seen }, { onSuccess: () => save({ git }) })
    },
    isConnecting: inspect.isPending || isSaving,
    error,
    errorOf: (path: string) => fields.get(path),
  }
}
