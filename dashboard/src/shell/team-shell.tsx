'use client'
/** What every page of a team stands in: header, tabs, and the client of the team. */
import Link from 'next/link'
import { type ReactNode, useEffect } from 'react'
import { ApiProvider } from '@/lib/api'
import { LiveUpdates } from '@/lib/live'
import { useRoute } from '@/lib/route'
import { SkeletonRows } from '@/ui/skeleton'
import { Toasts } from '@/ui/toasts'
import { Breadcrumb } from './breadcrumb'
import { Connection } from './connection'
import { Invitations } from './invitations'
import { rememberTeam } from './last-team'
import { Shortcuts } from './shortcuts'
import { Tabs } from './tabs'
import { UserMenu } from './user-menu'

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
          <Frame
            breadcrumb={<Breadcrumb route={route} />}
            tools={
              <>
                <Connection />
                <Shortcuts route={route} />
                <UserMenu />
              </>
            }
            tabs={<Tabs route={route} />}
          >
            <Invitations />
            {children}
          </Frame>
        </Toasts>
      </LiveUpdates>
    </ApiProvider>
  )
}

type FrameProps = { breadcrumb?: ReactNode; tools?: ReactNode; tabs?: ReactNode; children?: ReactNode }

function Frame({ breadcrumb, tools, tabs, children }: FrameProps) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-line border-b bg-surface">
        <div className="mx-auto max-w-6xl px-4">
          <div className="flex h-12 items-center gap-2">
            <Link href="/" prefetch={false} aria-label="svc: all teams" className="rounded p-1">
              <Logo />
            </Link>
            <span aria-hidden="true" className="text-line-strong">
              /
            </span>
            {breadcrumb}
            <div className="ml-auto flex items-center gap-2">{tools}</div>
          </div>
          <div className="h-[2.4rem]">{tabs}</div>
        </div>
      </header>
      <main id="main" className="mx-auto max-w-6xl px-4 py-6">
        {children ?? <SkeletonRows />}
      </main>
    </>
  )
}

function Logo() {
  return (
    <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" className="fill-accent">
      <path d="M8 1l7 13H1z" />
    </svg>
  )
}
