'use client'
/** Changes the password, or says how the person signs in without one. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { TextField } from '@/ui/field'
import { useToast } from '@/ui/toasts'
import { type Proof, ProofForm } from './proof-form'

type AccountRecord = Outputs['account']['get']

export function Password({ account }: { account: AccountRecord }) {
  const { password_set, provider } = account
  // A new form has empty fields.
  const [made, setMade] = useState(0)
  if (password_set) {
    return (
      <>
        {provider !== null && (
          <p className="mb-3 max-w-prose text-dim">
            You also sign in with {provider}, without this password.
          </p>
        )}
        <PasswordForm key={made} account={account} onChanged={() => setMade(made + 1)} />
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

function PasswordForm({ account, onChanged }: { account: AccountRecord; onChanged: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const [next, setNext] = useState('')
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.account.sessions.queryFilter())
        // A recovery code may be used up.
        queries.invalidateQueries(trpc.account.get.queryFilter())
        onChanged()
        toast('Password changed. Your other sessions have ended.')
      },
    }),
  )
  const { fields } = problemOf(change.error)
  const call = {
    ...change,
    mutate: (proof: Proof) => change.mutate({ ...proof, new_password: next }),
  }
  return (
    <ProofForm
      action="Change the password"
      label="Current password"
      account={account}
      call={call}
      disabled={next.length < shortest}
      after={
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${shortest} characters. A change ends all your other sessions.`}
          value={next}
          error={fields.get('new_password')}
          maxLength={128}
          minLength={shortest}
          required
          onChange={(event) => setNext(event.target.value)}
        />
      }
    >
      {/* For the browser's own list of passwords. */}
      <input type="text" autoComplete="username" value={account.user.email ?? ''} readOnly hidden />
    </ProofForm>
  )
}
