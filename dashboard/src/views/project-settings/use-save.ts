'use client'
/** Saves settings of a project. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Inputs, type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { useToast } from '@/ui/toasts'

export type ProjectRecord = Outputs['projects']['get']
export type ProjectChanges = Omit<Inputs['projects']['put'], 'project'>

/** A function that saves changes, with its state; `errorOf` is what is wrong with a field. */
export function useSave(
  { id }: ProjectRecord,
  onSuccess?: (saved: ProjectRecord) => void,
  /** The message once it is done. */
  done = 'Saved.',
) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const mutation = useMutation(
    trpc.projects.put.mutationOptions({
      onSuccess(saved) {
        queries.invalidateQueries(trpc.projects.pathFilter())
        toast(done)
        onSuccess?.(saved)
      },
    }),
  )
  const { fields } = problemOf(mutation.error)
  return {
    save: (changes: ProjectChanges) => mutation.mutate({ project: id, ...changes }),
    isSaving: mutation.isPending,
    error: mutation.error,
    errorOf: (path: string) => fields.get(path),
  }
}
