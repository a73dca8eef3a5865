'use client'
/** The people of a team, and who is invited. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { count } from '@/lib/format'
import { useRequiredRoute } from '@/lib/route'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Loaded } from '@/ui/loaded'
import { OwnersOnly, Problem } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { MemberActions } from './member-actions'
import { SettingsPage } from './settings-page'
import { type TeamDetails, useMembers } from './use-members'

const Invite = lazy(() => import('./invite').then((module) => ({ default: module.Invite })))

export function Members() {
  const { team: slug } = useRequiredRoute()
  const trpc = useTRPC()
  const team = useQuery(trpc.teams.get.queryOptions({ team: slug }))
  return (
    <SettingsPage
      title="Members"
      actions={
        <>
          <SameAs
            isKnown={team.data !== undefined}
            method="GET"
            path={['v1', 'teams', slug]}
            svc={{ words: ['teams', 'members'], values: [slug] }}
            client={{ call: 'teams.get.query', input: { team: slug } }}
          />
          {team.data?.role === 'owner' && <InviteButton team={team.data} />}
        </>
      }
    >
      <Loaded query={team}>{(found) => <MemberTable team={found} />}</Loaded>
    </SettingsPage>
  )
}

function InviteButton({ team }: { team: TeamDetails }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Invite
      </Button>
      {isOpen && (
        <Suspense>
          <Invite team={team} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function MemberTable({ team }: { team: TeamDetails }) {
  const { save, change, remove } = useMembers(team)
  const isOwner = team.role === 'owner'
  return (
    <div className="grid gap-4">
      {!isOwner && <OwnersOnly>Only owners invite people, change roles and remove members.</OwnersOnly>}
      {save.error && <Problem error={save.error} title="The members could not be changed" />}
      <Table label="Members" columns={['Person', 'Role', 'Projects', 'Joined', ...(isOwner ? [''] : [])]}>
        {team.members.map((member) => {
          const { email, name, role, joined_ms, projects, unproven } = member
          return (
            <Row key={email ?? 'none'}>
              <Cell className="max-w-72">
                <span className="block truncate font-medium">{email ?? name ?? 'Without an address'}</span>
                {email !== null && name !== null && name !== email && (
                  <span className="block truncate text-dim">{name}</span>
                )}
                {unproven && <Badge>Address not confirmed</Badge>}
              </Cell>
              <Cell>
                <Badge>{role}</Badge>
              </Cell>
              <Cell>
                {!projects ? 'All' : projects.length === 0 ? 'None' : count(projects.length, 'project')}
              </Cell>
              <Cell>{joined_ms === null ? <Badge tone="warn">Invited</Badge> : <Time ms={joined_ms} />}</Cell>
              {isOwner && (
                <Cell className="text-right">
                  <MemberActions
                    team={team}
                    member={member}
                    person={email ?? name ?? 'the members without an address'}
                    busy={save.isPending}
                    onChange={(next) => change(email, next)}
                    onRemove={() => remove(email)}
                  />
                </Cell>
              )}
            </Row>
          )
        })}
      </Table>
    </div>
  )
}
