'use client'
/** The person's name, and the address to sign in with. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'
import { Proof } from './proof'

export function Profile({ account }: { account: Outputs['account']['get'] }) {
  const { user, unproven } = account
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState(user.name)
  const save = useMutation(
    trpc.account.update.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.account.get.queryFilter())
        toast('Saved.')
      },
    }),
  )
  const error = problemOf(save.error).fields.get('name')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ name })
  }
  const typed = name.trim()
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <TextField
        label="Name"
        hint="The members of your teams see it."
        value={name}
        error={error}
        maxLength={100}
        autoComplete="name"
        onChange={(event) => setName(event.target.value)}
      />
      <div>
        <p className="font-medium">Address</p>
        <p className="truncate text-dim" title={user.email ?? undefined}>
          {user.email ?? 'None yet'}
        </p>
        {unproven && <Proof account={account} />}
      </div>
      {save.error && error === undefined && <Problem error={save.error} />}
      <div>
        <Button type="submit" disabled={typed === user.name || typed === ''} busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
