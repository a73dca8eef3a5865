'use client'
/** The log of a team or a project: filtered by the URL, paged backwards, or followed. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useTRPC } from '@/lib/api'
import type { LogLine } from '@/lib/follow-logs'
import { useIsProject } from '@/lib/is-project'
import { byCursor } from '@/lib/pages'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { Problem } from '@/ui/problem'
import { SameAs } from '@/ui/same-as'
import { WindowList } from '@/ui/window-list'
import { Filters } from './filters'
import { LogHead, LogRow, rowHeights } from './log-row'
import { StatusStrip } from './status-strip'
import { useLiveLines } from './use-live-lines'
import { useLogQuery } from './use-log-query'
import { useNarrow } from './use-narrow'

const LineDialog = lazy(() => import('./line-dialog').then((module) => ({ default: module.LineDialog })))

const pageSize = 100

export function Logs() {
  const { project } = useRequiredRoute()
  const trpc = useTRPC()
  const { filters, url } = useLogQuery()
  const isLive = url.get('live') === '1'
  const live = useLiveLines(filters, isLive)
  const [openedId, setOpenedId] = useState<string>()
  const logs = useInfiniteQuery(
    trpc.observability.logs.infiniteQueryOptions(
      { ...filters, limit: pageSize },
      { ...byCursor, staleTime: 0 },
    ),
  )
  const isKnown = useIsProject(project)
  return (
    <Page
      title="Logs"
      {...(project !== undefined && { tabTitle: `Logs of ${project}` })}
      actions={
        <>
          <SameAs
            isKnown={isKnown}
            method="GET"
            path={['v1', 'logs']}
            query={filters}
            svc={{
              words: ['logs'],
              options: {
                ...(project !== undefined && { '--project': project }),
                ...(filters.status !== undefined && { '--status': filters.status }),
                ...(isLive && { '--follow': true }),
              },
            }}
            client={{ call: 'observability.logs.query', input: filters }}
          />
          {!isLive && (
            <Button busy={logs.isRefetching} onClick={() => logs.refetch()}>
              Refresh
            </Button>
          )}
          <Button
            look={isLive ? 'primary' : 'plain'}
            aria-pressed={isLive}
            onClick={() => url.set({ live: isLive ? '' : '1' })}
          >
            Live
          </Button>
        </>
      }
    >
      <Filters url={url} />
      {['', 'request'].includes(url.get('kind')) && url.get('deployment') === '' && (
        <StatusStrip
          project={project ?? url.get('project')}
          range={url.get('range')}
          status={url.get('status')}
          isLive={isLive}
          onChoose={(status) => url.set({ status, level: '' })}
        />
      )}
      {live.error !== null && <Problem error={live.error} title="The log could not be followed" />}
      <Pages
        query={logs}
        empty={
          live.lines.length === 0 && (
            <Empty title={isLive ? 'Waiting for lines' : 'No lines match'}>
              {(filters.q || filters.status || filters.host) &&
                logs.hasNextPage &&
                'Older lines are still being searched.'}
            </Empty>
          )
        }
      >
        {(items) => (
          <Lines
            items={distinct([...live.lines, ...items])}
            openedId={openedId}
            onOpen={setOpenedId}
            onFilter={url.set}
          />
        )}
      </Pages>
      {logs.data?.pages.every(({ data }) => data.length === 0) && live.lines.length > 0 && (
        <Lines items={live.lines} openedId={openedId} onOpen={setOpenedId} onFilter={url.set} />
      )}
    </Page>
  )
}

type LinesProps = {
  items: LogLine[]
  openedId: string | undefined
  onOpen: (id: string | undefined) => void
  onFilter: (changes: Record<string, string>) => void
}

function Lines({ items, openedId, onOpen, onFilter }: LinesProps) {
  const close = useCallback(() => onOpen(undefined), [onOpen])
  const isNarrow = useNarrow()
  const at = items.findIndex(({ id }) => id === openedId)
  const opened = items[at]
  return (
    <>
      <LogHead />
      <WindowList
        // Heights are measured once.
        key={String(isNarrow)}
        label="Lines"
        items={items}
        rowHeight={isNarrow ? rowHeights.narrow : rowHeights.wide}
        keyOf={({ id }) => id}
      >
        {(line) => <LogRow line={line} onOpen={onOpen} />}
      </WindowList>
      {opened && (
        <Suspense>
          <LineDialog
            line={opened}
            onMove={(step) => onOpen(items[at + step]?.id ?? opened.id)}
            onFilter={(changes) => {
              close()
              onFilter(changes)
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

/** A line that was followed is in a page that is fetched later, too. */
function distinct(lines: LogLine[]): LogLine[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()]
}
