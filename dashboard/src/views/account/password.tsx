'use client'
/** Changes the password, or says how the person signs in without one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'
import { PresentPassword } from './present-password'

type AccountRecord = Outputs['account']['get']

export function Password({ account }: { account: AccountRecord }) {
  const { password_set, provider, user } = account
  if (password_set) {
    return (
      <>
        {provider !== null && (
          <p className="mb-3 max-w-prose text-dim">
            You also sign in with {provider}, without this password.
          </p>
        )}
        <PasswordForm address={user.email ?? ''} />
      </>
    )
  }
  return (
    <p className="max-w-prose text-dim">
      {provider === null
        ? 'You have no password. The operator of this server can create a link for you to set one.'
        : `You sign in with ${provider}, and have no password here.`}
    </p>
  )
}

/** As the API has it. */
const shortest = 10

function PasswordForm({ address }: { address: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.account.sessions.queryFilter())
        setCurrent('')
        setNext('')
        toast('Password changed. Your other sessions have ended.')
      },
    }),
  )
  const { fields } = problemOf(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ current_password: current, new_password: next })
  }
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      {/* For the browser's own list of passwords. */}
      <input type="text" autoComplete="username" value={address} readOnly hidden />
      <PresentPassword
        label="Current password"
        value={current}
        error={fields.get('current_password')}
        onChange={setCurrent}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${shortest} characters. A change ends all your other sessions.`}
        value={next}
        error={fields.get('new_password')}
        maxLength={128}
        onChange={(event) => setNext(event.target.value)}
      />
      {change.error && fields.size === 0 && <Problem error={change.error} />}
      <div>
        <Button type="submit" disabled={current === '' || next.length < shortest} busy={change.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
