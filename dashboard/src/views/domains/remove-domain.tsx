'use client'
/** The dialog that removes a domain. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Confirm } from '@/ui/dialog'
import { useToast } from '@/ui/toasts'

export function RemoveDomain({ name, onClose }: { name: string; onClose: () => void }) {
  const trpc = useTRPC()
  const router = useRouter()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { team } = useRequiredRoute()
  const remove = useMutation(
    trpc.domains.delete.mutationOptions({
      onSuccess() {
        router.push(teamPath(team, 'domains'))
        queryClient.removeQueries(trpc.domains.get.queryFilter({ domain: name }))
        queryClient.invalidateQueries(trpc.domains.list.pathFilter())
        toast(`${name} was removed.`)
      },
    }),
  )
  return (
    <Confirm
      title={`Remove ${name}?`}
      note={
        'The name is no longer served. ' +
        'Its DNS records and its proof are deleted: to add it again, you prove it anew.'
      }
      action="Remove domain"
      danger
      name={name}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate({ domain: name })}
    />
  )
}
