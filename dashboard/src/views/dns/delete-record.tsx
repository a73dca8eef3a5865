'use client'
/** Asks before a record is deleted. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Confirm } from '@/ui/dialog'
import { type DnsRecord, shownValue } from './record-input'

export function DeleteRecord({ record, onClose }: { record: DnsRecord; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const remove = useMutation(
    trpc.dns.delete.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(trpc.dns.list.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <Confirm
      title={`Delete the ${record.type} record of ${record.fqdn}?`}
      note="It is no longer served. Resolvers may keep it for its TTL."
      action="Delete record"
      danger
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate({ domain: record.domain, record: record.id })}
    >
      <code className="break-all rounded-md bg-sunken px-3 py-2 font-mono text-xs">
        {record.name} {record.ttl} {record.type} {shownValue(record)}
      </code>
    </Confirm>
  )
}
