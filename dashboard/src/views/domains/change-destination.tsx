'use client'
/** The dialog that changes what a domain shows. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { FormDialog } from '@/ui/dialog'
import { useToast } from '@/ui/toasts'
import { DestinationFields, destinationChanges, destinationOf, destinationPaths } from './destination'
import type { Domain } from './state'

export function ChangeDestination({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [destination, setDestination] = useState(() => destinationOf(domain))
  const change = useMutation(
    trpc.domains.put.mutationOptions({
      onSuccess() {
        queryClient.invalidateQueries(trpc.domains.pathFilter())
        queryClient.invalidateQueries(trpc.dns.pathFilter())
        toast('The destination was changed.')
        onClose()
      },
    }),
  )
  return (
    <FormDialog
      title={`Destination of ${domain.domain}`}
      action="Save"
      busy={change.isPending}
      error={change.error}
      fields={destinationPaths}
      onClose={onClose}
      onSubmit={() => change.mutate({ domain: domain.domain, ...destinationChanges(destination) })}
    >
      <DestinationFields
        value={destination}
        onChange={setDestination}
        errors={problemOf(change.error).fields}
      />
    </FormDialog>
  )
}
