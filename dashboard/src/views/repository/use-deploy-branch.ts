'use client'
/** Has a branch of a project's repository fetched and deployed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'

export function useDeployBranch() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.git.deploy.mutationOptions({
      onSettled: () => void queries.invalidateQueries(trpc.git.pathFilter()),
    }),
  )
}
