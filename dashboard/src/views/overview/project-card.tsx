'use client'
/** A project in the overview. */
import Link from 'next/link'
import type { Outputs } from '@/lib/api'
import { compactNumber } from '@/lib/format'
import { deploymentPath, projectPath } from '@/lib/paths'
import { StateBadge } from '@/ui/badge'
import { Icon } from '@/ui/icons'
import { Skeleton } from '@/ui/skeleton'
import { Sparkline } from '@/ui/sparkline'
import { Time } from '@/ui/time'
import { nameOf, titleOf } from '../deployments/about'

type Summary = Outputs['projects']['summaries']['data'][number]

export function ProjectCard({ team, project }: { team: string; project: Summary }) {
  const { name, production_url, live, latest, requests_24h, requests_by_hour } = project
  return (
    <li
      className={
        'relative flex min-w-0 flex-col gap-3 ' +
        'rounded-lg border border-line bg-surface p-4 hover:border-line-strong'
      }
    >
      <div className="flex min-w-0 items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="truncate font-semibold" title={name}>
            <Link
              href={projectPath(team, name)}
              prefetch={false}
              className={
                'inline-block min-h-6 max-w-full truncate after:absolute after:inset-0 hover:underline'
              }
            >
              {name}
            </Link>
          </h2>
          <a
            href={production_url}
            className={
              'relative inline-flex min-h-6 max-w-full items-center gap-1 ' +
              'text-dim hover:text-text hover:underline'
            }
          >
            <span className="truncate">{new URL(production_url).host}</span>
            <Icon name="external" />
          </a>
        </div>
        {latest ? <StateBadge state={latest.state} live={live !== null && isOver(latest.state)} /> : null}
      </div>
      {requests_24h > 0 ? (
        <Sparkline values={requests_by_hour} label={`Requests to ${name} in the last 24 hours, by hour`} />
      ) : (
        <p className="h-8 text-dim">No requests in the last 24 hours</p>
      )}
      <div className="mt-auto flex items-center justify-between gap-2 text-dim">
        <span className="min-w-0 truncate">
          {latest ? (
            <Link
              href={deploymentPath(team, name, latest.id)}
              prefetch={false}
              className={
                'relative inline-block min-h-6 max-w-full truncate align-bottom leading-6 ' +
                'hover:underline'
              }
              title={titleOf(latest)}
            >
              {nameOf(latest)} · <Time ms={latest.created_ms} />
            </Link>
          ) : (
            'Nothing deployed yet'
          )}
        </span>
        {requests_24h > 0 && (
          <span className="whitespace-nowrap" title="Requests in the last 24 hours">
            {compactNumber(requests_24h)} req
          </span>
        )}
      </div>
    </li>
  )
}

/** Whether the newest deployment is nothing to wait for or to look into: what is live says more then. */
const isOver = (state: string) => !['queued', 'building', 'error'].includes(state)

export function ProjectCardSkeletons() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((each) => (
        <Skeleton key={each} className="h-40" />
      ))}
    </div>
  )
}
