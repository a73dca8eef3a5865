'use client'
/** What an owner can do with a member or an invitation. */
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuItem } from '@/ui/menu'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

type MemberActionsProps = {
  person: string
  role: 'owner' | 'member'
  isInvited: boolean
  busy: boolean
  onChange: (role: 'owner' | 'member') => void
  onRemove: () => void
}

export function MemberActions({ person, role, isInvited, busy, onChange, onRemove }: MemberActionsProps) {
  const [isOpen, setOpen] = useState(false)
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
        <MenuItem onSelect={() => onChange(role === 'owner' ? 'member' : 'owner')}>
          {role === 'owner' ? 'Make a member' : 'Make an owner'}
        </MenuItem>
        <MenuItem danger onSelect={() => setOpen(true)}>
          {removal}
        </MenuItem>
      </Menu>
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
