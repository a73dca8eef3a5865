'use client'
/** The traffic of a team or a project. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTRPC } from '@/lib/api'
import { useIsProject } from '@/lib/is-project'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Page } from '@/ui/page'
import { Problem } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { Skeleton } from '@/ui/skeleton'
import { titleOf } from '../deployments/about'
import type { Marker } from './plot'
import { RangeChoice } from './range-choice'
import { useRange } from './use-range'
import { pageMetrics, useSeries } from './use-series'

const Charts = lazy(() => import('./charts').then((module) => ({ default: module.Charts })))

export function Metrics() {
  const { project } = useRequiredRoute()
  const { range, name, url, zoom } = useRange()
  const { series, error, isPending, refetch } = useSeries(pageMetrics, {
    range,
    isMoving: name !== undefined,
    project,
  })
  const markers = useMarkers(project)
  const isKnown = useIsProject(project)
  const call = { metric: 'requests' as const, ...(project !== undefined && { project }) }
  const isQuiet = !isPending && series.every(({ points }) => points.every(([, value]) => !value))
  return (
    <Page
      title="Metrics"
      {...(project !== undefined && { tabTitle: `Metrics of ${project}` })}
      actions={
        <>
          <SameAs
            isKnown={isKnown}
            method="GET"
            path={['v1', 'metrics']}
            query={call}
            svc={{ words: ['metrics'], values: project === undefined ? [] : [project] }}
            client={{ call: 'observability.metrics.query', input: call }}
          />
          {name === undefined && (
            <Button onClick={() => url.set({ since: '', until: '' })}>Reset zoom</Button>
          )}
        </>
      }
    >
      <RangeChoice name={name} onChoose={(next) => url.set({ range: next, since: '', until: '' })} />
      {error !== null && <Problem error={error} retry={refetch} />}
      {series.length === 0 && error !== null ? null : isQuiet ? (
        <Empty title="No traffic in this time">
          Visit {project === undefined ? 'a site of the team' : 'the site'}, and it appears here within
          seconds.
        </Empty>
      ) : (
        <Suspense fallback={<Places />}>
          {isPending ? <Places /> : <Charts series={series} range={range} markers={markers} onZoom={zoom} />}
        </Suspense>
      )}
    </Page>
  )
}

const looked = 50

/** When deployments of the project went live. */
function useMarkers(project: string | undefined): Marker[] {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.deployments.list.queryOptions(
      { target: 'production', state: 'ready', limit: looked, ...(project !== undefined && { project }) },
      { enabled: project !== undefined },
    ),
  )
  return (data?.data ?? []).flatMap((each) =>
    each.live_since_ms === null ? [] : { timeMs: each.live_since_ms, label: `Live: ${titleOf(each)}` },
  )
}

function Places() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 lg:grid-cols-2">
      {['a', 'b', 'c', 'd'].map((each) => (
        <Skeleton key={each} className="h-80" />
      ))}
    </div>
  )
}
