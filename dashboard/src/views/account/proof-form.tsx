'use client'
/** The form for what takes the password, and with a second factor a code or a passkey. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type Inputs, type Outputs, useTRPCClient } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { answerWithPasskey } from './passkey-client'
import { PresentPassword } from './present-password'

export type Proof = Inputs['account']['stopSecondFactor']

type ProofFormProps = {
  action: string
  /** The label of the present password. */
  label?: string
  account: Outputs['account']['get']
  call: { mutate: (proof: Proof) => void; error: unknown; isPending: boolean }
  onCancel?: () => void
  /** Whether more fields aren't complete. */
  disabled?: boolean
  /** Above the fields: what it is for, or more fields. */
  children?: ReactNode
  /** A field after the present password. */
  after?: ReactNode
}

export function ProofForm(props: ProofFormProps) {
  const { action, label = 'Password', account, call, onCancel, disabled = false, children, after } = props
  const client = useTRPCClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { on: isOn, passkeys } = account.second_factor
  const withPasskey = useMutation({
    mutationFn: async () => answerWithPasskey(await client.account.startPasskeyProof.mutate({})),
    onSuccess: (passkey) => call.mutate({ current_password: password, passkey }),
  })
  const error = withPasskey.error ?? call.error
  const { fields } = problemOf(error)
  const isBusy = call.isPending || withPasskey.isPending
  const isIncomplete = password === '' || disabled
  const submit = (event: FormEvent) => {
    event.preventDefault()
    withPasskey.reset()
    call.mutate({ current_password: password, ...(isOn && { code }) })
  }
  const isOfField = ['current_password', 'new_password', 'code'].some((field) => fields.has(field))
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      {children}
      <PresentPassword
        label={label}
        value={password}
        error={fields.get('current_password')}
        onChange={setPassword}
      />
      {after}
      {isOn && <CodeField value={code} error={fields.get('code')} onChange={setCode} />}
      {error && !isOfField ? <Problem error={error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isBusy}>
          {action}
        </Button>
        {passkeys > 0 && account.passkeys_problem === null && (
          <Button disabled={isIncomplete} busy={isBusy} onClick={() => withPasskey.mutate()}>
            Use a passkey in place of the code
          </Button>
        )}
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
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
      required
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
