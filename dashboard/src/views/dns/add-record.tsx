'use client'
/** Adds records to a zone, one after another. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Card } from '@/ui/card'
import { useToast } from '@/ui/toasts'
import { RecordEditor } from './record-editor'
import { emptyRecord, fieldsOf } from './record-input'

export function AddRecord({ domain, onClose }: { domain: string; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [added, setAdded] = useState(0)
  const add = useMutation(
    trpc.dns.create.mutationOptions({
      onSuccess({ fqdn, type }) {
        queryClient.invalidateQueries(trpc.dns.pathFilter())
        setAdded(added + 1)
        toast(`The ${type} record of ${fqdn} was added.`)
      },
    }),
  )
  return (
    <Card className="mb-4">
      <RecordEditor
        key={added}
        label="Add record"
        domain={domain}
        initial={emptyRecord}
        action="Add record"
        busy={add.isPending}
        error={add.error}
        onEdit={add.reset}
        onSubmit={(input) => add.mutate({ domain, ...fieldsOf(input) })}
        onCancel={onClose}
      />
    </Card>
  )
}
