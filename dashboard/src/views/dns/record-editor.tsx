'use client'
/** A form that adds or changes a record. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'
import { RecordFields } from './record-fields'
import type { RecordInput } from './record-input'
import { useRecordCheck } from './use-record-check'

type RecordEditorProps = {
  /** A name for the form. */
  label: string
  domain: string
  /** The id of the record to change; undefined for a new one. */
  record?: string
  initial: RecordInput
  action: string
  busy: boolean
  /** The error of the last try. */
  error: unknown
  /** Called on each change, which makes the error obsolete. */
  onEdit: () => void
  onSubmit: (input: RecordInput) => void
  onCancel: () => void
}

export function RecordEditor({
  label,
  domain,
  record,
  initial,
  action,
  busy,
  error,
  onEdit,
  onSubmit,
  onCancel,
}: RecordEditorProps) {
  const [input, setInput] = useState(initial)
  const form = useRef<HTMLFormElement>(null)
  // The button that opened it may be gone.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const check = useRecordCheck(domain, record, input)
  const refused = problemOf(error).fields
  const errors = check ? new Map(check.issues?.map(({ path, message }) => [path, message])) : refused
  // An existing TXT may be empty.
  const isValueMissing = input.value === '' && (record === undefined || initial.value !== '')
  const isEmpty = input.name.trim() === '' || isValueMissing
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(input)
  }
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      className="grid gap-3"
    >
      <RecordFields
        input={input}
        onChange={(next) => {
          setInput(next)
          onEdit()
        }}
        errors={errors}
        isExisting={record !== undefined}
      />
      {check && errors.size === 0 && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2">
          {check.message}
        </p>
      )}
      {error !== null && !check && refused.size === 0 && <Problem error={error} />}
      <div className="flex items-center justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          busy={busy}
          disabled={isEmpty}
          title={isEmpty ? 'Fill in name and value' : undefined}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
