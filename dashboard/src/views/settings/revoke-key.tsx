'use client'
/** Ends an API key. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Revoke } from '@/ui/revoke'

export function RevokeKey({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const revoke = useMutation(
    trpc.tokens.revokeKey.mutationOptions({
      onSuccess: () => void queries.invalidateQueries(trpc.tokens.pathFilter()),
    }),
  )
  return (
    <Revoke
      what={name}
      note="Programs that use this key are refused from now on. This can't be undone."
      mutation={revoke}
      input={{ key: id }}
    />
  )
}
