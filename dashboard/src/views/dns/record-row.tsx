'use client'
/** A record of a zone, which is edited in its place. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Copyable } from '@/ui/copy'
import { Icon } from '@/ui/icons'
import { Cell, Row } from '@/ui/table'
import { RecordEditor } from './record-editor'
import { type DnsRecord, fieldsOf, inputOf, shownValue } from './record-input'

const DeleteRecord = lazy(() =>
  import('./delete-record').then((module) => ({ default: module.DeleteRecord })),
)

type RecordRowProps = { record: DnsRecord; isEditable: boolean }

export const recordColumns = ['Name', 'Type', 'Value', 'TTL', '']

export function RecordRow({ record, isEditable }: RecordRowProps) {
  const [isEditing, setEditing] = useState(false)
  const row = useRef<HTMLSpanElement>(null)
  if (isEditing) {
    return (
      <Row>
        <Cell colSpan={recordColumns.length}>
          <EditRecord
            record={record}
            onClose={() => {
              setEditing(false)
              // The button that opened the form is there again once this has rendered.
              requestAnimationFrame(() => row.current?.querySelector('button')?.focus())
            }}
          />
        </Cell>
      </Row>
    )
  }
  return (
    <Row>
      <Cell className="sm:w-1/4 sm:max-w-0">
        <Copyable text={record.name} label={`Copy the name ${record.name}`} />
      </Cell>
      <Cell className="font-mono text-xs">{record.type}</Cell>
      <Cell className="sm:w-1/2 sm:max-w-0">
        <Copyable text={shownValue(record)} label="Copy the value" />
        {record.comment && (
          <p className="truncate text-dim text-xs" title={record.comment}>
            {record.comment}
          </p>
        )}
      </Cell>
      <Cell className="whitespace-nowrap text-dim tabular-nums">
        <span className="sm:hidden">TTL </span>
        {record.ttl}
      </Cell>
      <Cell className="sm:text-right">
        <span ref={row} className="inline-flex items-center gap-1">
          {record.managed ? (
            <span title="Kept by the service: the proof of a domain, or the address of its site.">
              <Badge>Managed</Badge>
            </span>
          ) : (
            isEditable && <RowActions record={record} onEdit={() => setEditing(true)} />
          )}
        </span>
      </Cell>
    </Row>
  )
}

function RowActions({ record, onEdit }: { record: DnsRecord; onEdit: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  const about = `${record.type} record of ${record.fqdn}`
  return (
    <>
      <Button look="quiet" onClick={onEdit} aria-label={`Edit the ${about}`}>
        Edit
      </Button>
      <IconButton label={`Delete the ${about}`} onClick={() => setDeleting(true)}>
        <Icon name="trash" />
      </IconButton>
      {isDeleting && (
        <Suspense>
          <DeleteRecord record={record} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  )
}

function EditRecord({ record, onClose }: { record: DnsRecord; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const put = useMutation(
    trpc.dns.put.mutationOptions({
      async onSuccess() {
        // The row shows the new values as soon as the form is gone.
        await queryClient.invalidateQueries(trpc.dns.list.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <RecordEditor
      label={`Edit the ${record.type} record of ${record.fqdn}`}
      domain={record.domain}
      record={record.id}
      initial={inputOf(record)}
      action="Save"
      busy={put.isPending}
      error={put.error}
      onEdit={put.reset}
      onSubmit={(input) => put.mutate({ domain: record.domain, record: record.id, ...fieldsOf(input) })}
      onCancel={onClose}
    />
  )
}
