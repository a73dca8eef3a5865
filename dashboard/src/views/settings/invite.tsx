'use client'
/** The dialog that invites a person. */
import { useState } from 'react'
import { problemOf } from '@/lib/api-error'
import { FormDialog } from '@/ui/dialog'
import { Select, TextField } from '@/ui/field'
import { ProjectChoice } from './project-choice'
import { type TeamDetails, useMembers } from './use-members'

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'owner', label: 'Owner' },
]

export function Invite({ team, onClose }: { team: TeamDetails; onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('member')
  const [projects, setProjects] = useState<readonly string[] | null>(null)
  const { save, invite } = useMembers(team, onClose)
  const [wrong] = [...problemOf(save.error).fields].filter(([path]) => path.endsWith('.email'))
  return (
    <FormDialog
      title={`Invite to ${team.name}`}
      note={
        'The person sees the invitation after signing in to this server, and joins by accepting it. ' +
        'A mail says so if the operator has set up mail.'
      }
      action="Invite"
      busy={save.isPending}
      error={wrong ? undefined : save.error}
      disabled={email === ''}
      onClose={onClose}
      onSubmit={() => {
        const isOwner = role === 'owner'
        invite(email.trim().toLowerCase(), isOwner ? 'owner' : 'member', isOwner ? null : projects)
      }}
    >
      <TextField
        label="Email"
        type="email"
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
