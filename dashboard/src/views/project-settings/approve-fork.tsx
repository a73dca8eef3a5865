'use client'
/** Approves a commit of a fork that waits, after a question that says what it means. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import type { ProjectRecord } from './use-save'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

type Delivery = Outputs['git']['deliveries']['data'][number]

type Props = { project: ProjectRecord; delivery: Delivery }

export function ApproveFork({ project, delivery: { id, commit, pull_request: number } }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const approve = useMutation(
    trpc.git.approve.mutationOptions({
      onSuccess: close,
      // Also after a refusal, which says that something else waits by now.
      onSettled: () => void queries.invalidateQueries(trpc.git.pathFilter()),
    }),
  )
  if (commit === null) return null
  return (
    <span className="mt-2 block">
      <Button onClick={() => setOpen(true)} aria-label={`Approve pull request ${number}`}>
        Approve
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Deploy this commit of pull request ${number}?`}
            note={
              'Somebody outside the team wrote it: look at its changes at the forge first. It is built ' +
              "without the project's variables, as a protected preview in your name. " +
              'A later commit waits again.'
            }
            action="Approve"
            busy={approve.isPending}
            error={approve.error}
            onClose={close}
            onSubmit={() => approve.mutate({ project: project.id, delivery: id, commit })}
          >
            <p className="font-mono text-xs break-all">{commit}</p>
          </Confirm>
        </Suspense>
      )}
    </span>
  )
}
