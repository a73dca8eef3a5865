'use client'
/** Has a failed delivery tried again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'
import type { ProjectRecord } from './use-save'

type Delivery = Outputs['git']['deliveries']['data'][number]

type Props = { project: ProjectRecord; delivery: Delivery }

export function RetryDelivery({ project, delivery: { id, event, branch } }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const retry = useMutation(
    trpc.git.retry.mutationOptions({
      // Also after a refusal, which says that something else is there by now.
      onSettled: () => void queries.invalidateQueries(trpc.git.pathFilter()),
    }),
  )
  return (
    <span className="mt-2 block">
      <Button
        onClick={() => retry.mutate({ project: project.id, delivery: id })}
        busy={retry.isPending}
        aria-label={`Try again: ${event} of ${branch ?? 'a fork'}`}
      >
        Try again
      </Button>
      {retry.error && <Problem error={retry.error} />}
    </span>
  )
}
