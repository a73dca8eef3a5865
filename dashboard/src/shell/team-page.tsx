'use client'
/** The header, tabs and content of a team's page. */
import type { ReactNode } from 'react'
import type { Route } from '@/lib/route'
import { Empty } from '@/ui/empty'
import { Breadcrumb } from './breadcrumb'
import { Connection } from './connection'
import { Frame } from './frame'
import { Invitations } from './invitations'
import { Shortcuts } from './shortcuts'
import { Tabs } from './tabs'
import { useUnknown } from './use-unknown'
import { UserMenu } from './user-menu'

/** A page of a team; without tabs for a team that isn't there, and without those of such a project. */
export function TeamPage({ route, children }: { route: Route; children: ReactNode }) {
  const unknown = useUnknown(route)
  if (unknown === 'team') {
    return (
      <Frame
        breadcrumb={<span className="px-1 font-medium">{route.team}</span>}
        tools={<UserMenu />}
        tabs={null}
      >
        <NotFound what="team" />
      </Frame>
    )
  }
  const known = unknown === 'project' ? { team: route.team, project: undefined, rest: [] } : route
  return (
    <Frame
      breadcrumb={<Breadcrumb route={known} />}
      tools={
        <>
          <Connection />
          <Shortcuts route={known} />
          <UserMenu />
        </>
      }
      tabs={<Tabs route={known} />}
    >
      <Invitations />
      {unknown === 'project' ? <NotFound what="project" /> : children}
    </Frame>
  )
}

const reasons = {
  team: 'There is no such team, or you are not in it.',
  project: 'It may have been deleted or renamed, or belongs to another team.',
}

function NotFound({ what }: { what: keyof typeof reasons }) {
  return (
    <>
      <title>Not found · svc</title>
      <h1 className="sr-only">Not found</h1>
      <Empty title="Not found">{reasons[what]}</Empty>
    </>
  )
}
