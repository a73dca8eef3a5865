'use client'
/** A team at a glance: what failed, its projects with what is live, and the way to a first one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { useIsLimited, useRole } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { SearchField } from '@/ui/search-field'
import { PickButtons } from '../drop/pick-buttons'
import { useDrop } from '../drop/use-drop'
import { Failures } from './failures'
import { FirstRun } from './first-run'
import { ProjectCard, ProjectCardSkeletons } from './project-card'
import { SortChoice, useSort } from './sort'
import { Totals } from './totals'

const ImportDialog = lazy(() =>
  import('../repository/import-dialog').then((module) => ({ default: module.ImportDialog })),
)

export function Overview() {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const [q, setQ] = useState('')
  const [sort, setSort] = useSort()
  const { deploy, layer } = useDrop()
  const [isImporting, setImporting] = useState(false)
  // Whoever connects a repository is an owner.
  const isOwner = useRole() === 'owner'
  const startImport = isOwner ? () => setImporting(true) : undefined
  const projects = useInfiniteQuery(
    trpc.projects.summaries.infiniteQueryOptions(
      { limit: 24, sort, ...(q !== '' && { q }) },
      { ...byCursor, placeholderData: (before) => before },
    ),
  )
  const isLimited = useIsLimited()
  const isEmpty = q === '' && projects.data?.pages[0]?.data.length === 0
  const isNew = isEmpty && !isLimited
  return (
    <Page
      title={isNew ? 'Your first site' : 'Projects'}
      tabTitle={team}
      actions={
        <SameAs
          isKnown={true}
          method="GET"
          path={['v1', 'projects']}
          svc={{ words: ['projects'] }}
          client={{ call: 'projects.list.query', input: {} }}
        />
      }
    >
      {!isLimited && layer}
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {isNew ? (
        <FirstRun onChosen={deploy} onImport={startImport} />
      ) : (
        <>
          <Totals />
          <Failures />
          <div className="mb-4 flex flex-wrap items-center gap-2">
            <SearchField label="Search projects" value={q} onChange={setQ} />
            {q === '' && <SortChoice value={sort} onChange={setSort} />}
            {!isLimited && (
              <PickButtons
                onChosen={deploy}
                compact
                other={startImport && { label: 'A repository…', onSelect: startImport }}
              />
            )}
          </div>
          <Pages
            query={projects}
            skeleton={<ProjectCardSkeletons />}
            empty={isEmpty ? <NoneYet /> : <Empty title={`No project has “${q}” in its name`} />}
          >
            {(items) => (
              <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
                {items.map((project) => (
                  <ProjectCard key={project.id} team={team} project={project} />
                ))}
              </ul>
            )}
          </Pages>
        </>
      )}
    </Page>
  )
}

/** For a limited member. */
function NoneYet() {
  return <Empty title="No projects yet">An owner of the team chooses which of its projects you see.</Empty>
}
