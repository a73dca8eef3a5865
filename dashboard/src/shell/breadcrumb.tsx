'use client'
/** Team and project in the header: where the page is, and menus to go elsewhere. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { projectPath, teamPath } from '@/lib/paths'
import type { Route } from '@/lib/route'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuHeading, MenuItem, MenuLine, MenuLink } from '@/ui/menu'

const NewTeam = lazy(() => import('./new-team').then((module) => ({ default: module.NewTeam })))

export function Breadcrumb({ route: { team, project } }: { route: Route }) {
  return (
    <ol aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1 font-medium">
      <li className="flex min-w-14 items-center">
        <Link
          href={teamPath(team)}
          prefetch={false}
          className="min-w-8 truncate rounded px-1 py-0.5 hover:bg-sunken"
        >
          {team}
        </Link>
        <TeamMenu team={team} />
      </li>
      {project !== undefined && (
        <li className="flex min-w-18 items-center">
          <span aria-hidden="true" className="mr-1 text-line-strong">
            /
          </span>
          <Link
            href={projectPath(team, project)}
            prefetch={false}
            className="min-w-8 truncate rounded px-1 py-0.5 hover:bg-sunken"
          >
            {project}
          </Link>
          <ProjectMenu team={team} />
        </li>
      )}
    </ol>
  )
}

function TeamMenu({ team }: { team: string }) {
  const trpc = useTRPC()
  const [isCreating, setCreating] = useState(false)
  const { data } = useQuery(trpc.teams.list.queryOptions({ limit: 100 }))
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton label="Switch team" className="size-6">
            <Icon name="chevron" />
          </IconButton>
        }
      >
        {data?.data.map(({ slug, name }) => (
          <MenuLink key={slug} href={teamPath(slug)}>
            <span className="w-4">{slug === team ? '✓' : ''}</span>
            {name}
            {name !== slug && <span className="text-dim">{slug}</span>}
          </MenuLink>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => setCreating(true)}>
          <Icon name="plus" /> New team…
        </MenuItem>
      </Menu>
      {isCreating && (
        <Suspense>
          <NewTeam onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The first hundred; the palette finds any. */
function ProjectMenu({ team }: { team: string }) {
  const trpc = useTRPC()
  const { data } = useInfiniteQuery(trpc.projects.list.infiniteQueryOptions({ limit: 100 }, byCursor))
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="Switch project" className="size-6">
          <Icon name="chevron" />
        </IconButton>
      }
    >
      <MenuHeading>Projects</MenuHeading>
      {data?.pages[0]?.data.map(({ name }) => (
        <MenuLink key={name} href={projectPath(team, name)}>
          {name}
        </MenuLink>
      ))}
    </Menu>
  )
}
