'use client'
/** What an owner can do with a member or an invitation. */
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/menu'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

const InvitationLink = lazy(() =>
  import('./invitation-link').then((module) => ({ default: module.InvitationLink })),
)

type MemberActionsProps = {
  team: string
  /** The invited address; null for a member. */
  invited: string | null
  person: string
  role: 'owner' | 'member'
  busy: boolean
  onChange: (role: 'owner' | 'member') => void
  onRemove: () => void
}

export function MemberActions({ team, invited, person, role, busy, onChange, onRemove }: MemberActionsProps) {
  const [isOpen, setOpen] = useState(false)
  const [isLinkOpen, setLinkOpen] = useState(false)
  const isInvited = invited !== null
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
        <MenuItem danger onSelect={() => setOpen(true)}>
          {removal}
        </MenuItem>
      </Menu>
      {isLinkOpen && invited !== null && (
        <Suspense>
          <InvitationLink team={team} email={invited} onClose={() => setLinkOpen(false)} />
        </Suspense>
      )}
      {isOpen && (
        <Suspense>
          <Confirm
            title={`${removal}?`}
            note={
              isInvited
                ? `${person} can no longer join with it.`
                : `${person} loses access at once, and their API keys of this team end.`
            }
            action={isInvited ? 'Withdraw' : 'Remove'}
            danger
            busy={busy}
            onClose={() => setOpen(false)}
            onSubmit={() => {
              setOpen(false)
              onRemove()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
