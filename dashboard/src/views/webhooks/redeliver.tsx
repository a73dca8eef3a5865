'use client'
/** Sends a delivery again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'

export function Redeliver({ webhook, delivery }: { webhook: string; delivery: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const redeliver = useMutation(
    trpc.webhooks.redeliver.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  )
  return (
    <>
      <Button look="quiet" busy={redeliver.isPending} onClick={() => redeliver.mutate({ webhook, delivery })}>
        Redeliver
      </Button>
      {redeliver.error && <Problem error={redeliver.error} />}
    </>
  )
}
