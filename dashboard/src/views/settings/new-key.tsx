'use client'
/** The dialog that makes an API key and shows it once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { useRole } from '@/lib/role'
import { Snippet } from '@/ui/copy'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { Select, TextField } from '@/ui/field'

const roles = [
  { value: 'member', label: 'Member: deploys and configures' },
  { value: 'owner', label: 'Owner: also deletes, and manages the team' },
]

export function NewKey({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const isOwner = useRole() === 'owner'
  const [name, setName] = useState('')
  const [role, setRole] = useState('member')
  const create = useMutation(
    trpc.tokens.createKey.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.tokens.pathFilter()),
    }),
  )
  const token = create.data?.token
  if (token !== undefined) return <Created token={token} onClose={onClose} />
  return (
    <FormDialog
      title="New API key"
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['name']}
      onClose={onClose}
      onSubmit={() => create.mutate({ name, role: role === 'owner' ? 'owner' : 'member' })}
    >
      <TextField
        label="Name"
        hint="To recognize it by, such as the program that uses it."
        value={name}
        error={problemOf(create.error).fields.get('name')}
        required
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
      />
      <Select
        label="Role"
        hint={isOwner ? undefined : 'Your keys are for members, as you are.'}
        options={isOwner ? roles : roles.slice(0, 1)}
        value={role}
        onChange={(event) => setRole(event.target.value)}
      />
    </FormDialog>
  )
}

function Created({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <CopyOnce
      title="Copy the key now"
      note="It is shown this once. Nobody can read it later, not even the operator."
      onClose={onClose}
    >
      <Snippet text={token} label="Copy the key" />
      <div className="min-w-0">
        <h3 className="mb-1 font-medium">For the svc command</h3>
        <Snippet text={`svc login --url ${location.origin}`} label="Copy the command that logs in" />
        <p className="mt-1 text-dim">
          Paste the key where the command asks for it: so it stays out of the shell's history.
        </p>
      </div>
      <div className="min-w-0">
        <h3 className="mb-1 font-medium">With curl</h3>
        <Snippet
          text={`curl -H "Authorization: Bearer ${token}" ${location.origin}/v1/overview`}
          label="Copy for curl"
        />
      </div>
    </CopyOnce>
  )
}
