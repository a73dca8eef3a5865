'use client'
/** Has the server make the webhook at the forge, instead of pasting its address there. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'
import type { ProjectRecord } from './use-save'

export function RegisterHook({ project }: { project: ProjectRecord }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const register = useMutation(
    trpc.git.registerHook.mutationOptions({
      onSuccess({ created }) {
        toast(created ? 'The forge has the webhook now.' : 'The webhook at the forge is up to date now.')
      },
      // Also after a failure: the secret may have been made.
      onSettled: () => void queries.invalidateQueries(trpc.projects.pathFilter()),
    }),
  )
  return (
    <div className="mt-2 grid justify-items-start gap-2">
      <Button disabled={register.isPending} onClick={() => register.mutate({ project: project.id })}>
        {register.isPending ? 'Registering' : 'Register it at the forge'}
      </Button>
      {register.error !== null && <Problem error={register.error} />}
    </div>
  )
}
