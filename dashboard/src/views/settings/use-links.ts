'use client'
/** Makes and revokes links of invitations. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'

export function useLinks() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries(trpc.invitationLinks.pathFilter())
  return {
    create: useMutation(trpc.invitationLinks.create.mutationOptions({ onSettled })),
    revoke: useMutation(trpc.invitationLinks.revoke.mutationOptions({ onSettled })),
  }
}
