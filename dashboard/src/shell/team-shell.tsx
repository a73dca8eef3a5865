'use client'
/** The frame of every page of a team: header, tabs, and the client of the team. */
import { type ReactNode, useEffect } from 'react'
import { ApiProvider } from '@/lib/api'
import { LiveUpdates } from '@/lib/live'
import { useRoute } from '@/lib/route'
import { Toasts } from '@/ui/toasts'
import { Frame } from './frame'
import { rememberTeam } from './last-team'
import { TeamPage } from './team-page'

export function TeamShell({ children }: { children: ReactNode }) {
  const route = useRoute()
  const team = route?.team
  useEffect(() => {
    if (team !== undefined) rememberTeam(team)
  }, [team])
  // What the server exported: the place of a page whose team is not known yet.
  if (!route) {
    return (
      <>
        <title>svc</title>
        <Frame />
      </>
    )
  }
  return (
    <ApiProvider key={route.team} team={route.team}>
      <LiveUpdates>
        <Toasts>
          <TeamPage route={route}>{children}</TeamPage>
        </Toasts>
      </LiveUpdates>
    </ApiProvider>
  )
}
