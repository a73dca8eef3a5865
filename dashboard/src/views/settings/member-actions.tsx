'use client'
/** The actions of an owner on a member or an invitation. */
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/menu'
import type { TeamDetails } from './use-members'

const LimitMember = lazy(() => import('./limit-member').then((module) => ({ default: module.LimitMember })))
const Leaving = lazy(() => import('./leaving').then((module) => ({ default: module.Leaving })))
const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

const InvitationLink = lazy(() =>
  import('./invitation-link').then((module) => ({ default: module.InvitationLink })),
)

type MemberActionsProps = {
  team: TeamDetails
  member: TeamDetails['members'][number]
  person: string
  busy: boolean
  onChange: (role: 'owner' | 'member') => void
  onRemove: () => void
}

export function MemberActions({ team, member, person, busy, onChange, onRemove }: MemberActionsProps) {
  const { role } = member
  const isInvited = member.joined_ms === null
  const invited = isInvited ? member.email : null
  const [isOpen, setOpen] = useState(false)
  const [isLinkOpen, setLinkOpen] = useState(false)
  const [isLimiting, setLimiting] = useState(false)
  const removal = isInvited ? 'Withdraw the invitation' : 'Remove from the team'
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${person}`} title="Actions" disabled={busy}>
            <Icon name="more" />
          </IconButton>
        }
      >
        {isInvited && <MenuItem onSelect={() => setLinkOpen(true)}>Link to join</MenuItem>}
        <MenuItem onSelect={() => onChange(role === 'owner' ? 'member' : 'owner')}>
          {role === 'owner' ? 'Make a member' : 'Make an owner'}
        </MenuItem>
        {role === 'member' && <MenuItem onSelect={() => setLimiting(true)}>Choose projects</MenuItem>}
        <MenuItem danger onSelect={() => setOpen(true)}>
          {removal}
        </MenuItem>
      </Menu>
      {isLimiting && (
        <Suspense>
          <LimitMember team={team} member={member} person={person} onClose={() => setLimiting(false)} />
        </Suspense>
      )}
      {isLinkOpen && invited !== null && (
        <Suspense>
          <InvitationLink team={team.slug} email={invited} onClose={() => setLinkOpen(false)} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense>
          <Confirm
            title={`${removal}?`}
            note={isInvited ? `${person} can no longer join with it.` : `${person} loses access at once.`}
            action={isInvited ? 'Withdraw' : 'Remove'}
            danger
            busy={busy}
            onClose={() => setOpen(false)}
            onSubmit={() => {
              setOpen(false)
              onRemove()
            }}
          >
            {!isInvited && <Leaving team={team.slug} email={member.email} />}
          </Confirm>
        </Suspense>
      )}
    </>
  )
}
