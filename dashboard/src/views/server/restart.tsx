'use client'
/** The button that restarts the servers of a project, after a question. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

export function Restart({ project }: { project: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const restart = useMutation(
    trpc.ps.restart.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.ps.pathFilter())
        setOpen(false)
      },
    }),
  )
  return (
    <>
      <Button onClick={() => setOpen(true)}>Restart</Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Restart the servers of ${project}?`}
            note={
              'Those that run, of previews too, stop once they have answered what they are at. ' +
              "The next request starts them again, with today's variables."
            }
            action="Restart"
            busy={restart.isPending}
            error={restart.error}
            onClose={() => setOpen(false)}
            onSubmit={() => restart.mutate({ project })}
          />
        </Suspense>
      )}
    </>
  )
}
