'use client'
/** The dialog that invites a person. */
import { useState } from 'react'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { Dialog, FormDialog } from '@/ui/dialog'
import { Select, TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { MadeLink } from './made-link'
import { ProjectChoice } from './project-choice'
import { useLinks } from './use-links'
import { type TeamDetails, useMembers } from './use-members'

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'owner', label: 'Owner' },
]

export function Invite({ team, onClose }: { team: TeamDetails; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('member')
  const [projects, setProjects] = useState<readonly string[] | null>(null)
  const address = email.trim().toLowerCase()
  const { create } = useLinks()
  const { save, invite } = useMembers(team, () => create.mutate({ team: team.slug, email: address }))
  const [wrong] = [...problemOf(save.error).fields].filter(([path]) => path.endsWith('.email'))
  if (create.data) return <MadeLink link={create.data} onClose={onClose} />
  if (create.error) return <WithoutLink error={create.error} onClose={onClose} />
  return (
    <FormDialog
      title={`Invite to ${team.name}`}
      note={
        'The person joins by a link that you get next, or sees the invitation after signing in here, ' +
        'and accepts. A mail says so if the operator has set up mail.'
      }
      action="Invite"
      busy={save.isPending || create.isPending}
      error={wrong ? undefined : save.error}
      onClose={onClose}
      onSubmit={() => {
        const isOwner = role === 'owner'
        invite(address, isOwner ? 'owner' : 'member', isOwner ? null : projects)
      }}
    >
      <TextField
        label="Email"
        type="email"
        required
        value={email}
        error={wrong?.[1]}
        onChange={(event) => setEmail(event.target.value)}
        autoComplete="off"
      />
      <Select label="Role" options={roles} value={role} onChange={(event) => setRole(event.target.value)} />
      {role === 'member' && <ProjectChoice chosen={projects} onChange={setProjects} />}
    </FormDialog>
  )
}

/** The invitation stands: whoever has an account sees it. */
function WithoutLink({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
    <Dialog title="Invited, without a link" onClose={onClose}>
      <div className="grid gap-4">
        <Problem error={error} />
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  )
}
