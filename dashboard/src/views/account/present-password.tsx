'use client'
/** The field for the person's present password. */
import { TextField } from '@/ui/field'

type PresentPasswordProps = {
  label: string
  value: string
  error: string | undefined
  onChange: (password: string) => void
}

export function PresentPassword({ onChange, ...field }: PresentPasswordProps) {
  return (
    <TextField
      {...field}
      type="password"
      autoComplete="current-password"
      required
      maxLength={128}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
