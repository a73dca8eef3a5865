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
import { Select, Switch, TextField } from '@/ui/field'
import { ProjectChoice } from './project-choice'

const roles = [
  { value: 'member', label: 'Member: deploys and configures' },
  { value: 'owner', label: 'Owner: also deletes, and manages the team' },
]

const never = ''

const ends = [
  { value: never, label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const dayMs = 86_400_000

/** How long before its end a key has a notice, if it lasts longer. */
const noticeDays = 7

export function NewKey({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const isOwner = useRole() === 'owner'
  const [name, setName] = useState('')
  const [role, setRole] = useState('member')
  const [days, setDays] = useState(never)
  const [isReadOnly, setReadOnly] = useState(false)
  const [projects, setProjects] = useState<readonly string[] | null>(null)
  const create = useMutation(
    trpc.tokens.createLimitedKey.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.tokens.pathFilter()),
    }),
  )
  const token = create.data?.token
  if (token !== undefined) return <Created token={token} onClose={onClose} />
  const chosen = role === 'member' ? projects : null
  return (
    <FormDialog
      title="New API key"
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['name']}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          name,
          role: role === 'owner' ? 'owner' : 'member',
          ...(days !== never && { expires_ms: Date.now() + Number(days) * dayMs }),
          ...(chosen && { projects: [...chosen] }),
          ...(isReadOnly && { read_only: true }),
        })
      }
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
      <Select
        label="Ends"
        hint={
          Number(days) > noticeDays
            ? 'A week before, owners get a mail, where this server sends any.'
            : undefined
        }
        options={ends}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <Switch
        label="Read only"
        hint="It reads what its role may, and changes nothing."
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.target.checked)}
      />
      {role === 'member' && <ProjectChoice chosen={projects} onChange={setProjects} />}
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
