'use client'
/** A field for the name of a project, with suggestions. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { TextField } from '@/ui/field'

type ProjectFieldProps = {
  label: string
  value: string
  onChange: (name: string) => void
  placeholder?: string
  error?: string | undefined
  required?: boolean
}

/** It suggests the first hundred projects; others can be typed. */
export function ProjectField({
  label,
  value,
  onChange,
  placeholder,
  error,
  required = false,
}: ProjectFieldProps) {
  const trpc = useTRPC()
  const list = useId()
  const { data } = useInfiniteQuery(trpc.projects.list.infiniteQueryOptions({ limit: 100 }, byCursor))
  return (
    <>
      <TextField
        label={label}
        value={value}
        placeholder={placeholder}
        error={error}
        onChange={(event) => onChange(event.target.value.trim())}
        list={list}
        autoComplete="off"
        spellCheck={false}
        required={required}
      />
      <datalist id={list}>
        {data?.pages[0]?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
