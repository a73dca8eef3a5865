'use client'
/** The form for what takes both the password and a code. */
import { type FormEvent, useState } from 'react'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { PresentPassword } from './present-password'

type ProofFormProps = {
  action: string
  call: {
    mutate: (proof: { current_password: string; code: string }) => void
    error: unknown
    isPending: boolean
  }
  onCancel: () => void
}

export function ProofForm({ action, call, onCancel }: ProofFormProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { fields } = problemOf(call.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    call.mutate({ current_password: password, code })
  }
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <PresentPassword
        label="Password"
        value={password}
        error={fields.get('current_password')}
        onChange={setPassword}
      />
      <CodeField value={code} error={fields.get('code')} onChange={setCode} />
      {call.error && fields.size === 0 ? <Problem error={call.error} /> : null}
      <div className="flex gap-2">
        <Button type="submit" disabled={password === '' || code === ''} busy={call.isPending}>
          {action}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

type CodeFieldProps = { value: string; error: string | undefined; onChange: (code: string) => void }

/** A code of the app, or a recovery code. */
export function CodeField({ value, error, onChange }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      error={error}
      maxLength={100}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
