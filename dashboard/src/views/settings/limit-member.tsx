'use client'
/** The dialog that limits a member to some projects. */
import { useState } from 'react'
import { FormDialog } from '@/ui/dialog'
import { ProjectChoice } from './project-choice'
import { type TeamDetails, useMembers } from './use-members'

type LimitMemberProps = {
  team: TeamDetails
  member: Pick<TeamDetails['members'][number], 'email' | 'projects'>
  person: string
  onClose: () => void
}

export function LimitMember({ team, member, person, onClose }: LimitMemberProps) {
  const [chosen, setChosen] = useState<readonly string[] | null>(member.projects ?? null)
  const { save, limit } = useMembers(team, onClose)
  return (
    <FormDialog
      title={`Projects of ${person}`}
      note="What the member sees and changes, also with API keys. It takes effect at once."
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => limit(member.email, chosen)}
    >
      <ProjectChoice chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
