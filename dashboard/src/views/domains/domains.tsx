'use client'
/** The domains of a team, and those of a project. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { useIsProject } from '@/lib/is-project'
import { byCursor } from '@/lib/pages'
import { useIsLimited } from '@/lib/role'
import { useProject } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icons'
import { Pages } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { DomainFilters } from './filters'
import { DomainTable } from './table'

const AddDomain = lazy(() => import('./add-domain').then((module) => ({ default: module.AddDomain })))

const docs = '/docs/domains'

/** All of them, with filters. */
export function TeamDomains() {
  const url = useUrlState()
  const project = url.get('project')
  const verified = url.get('verified')
  return (
    <DomainList project={project} verified={verified}>
      <DomainFilters project={project} verified={verified} onChange={url.set} />
    </DomainList>
  )
}

/** Those that serve the project of the page. */
export function ProjectDomains() {
  return <DomainList project={useProject()} verified="" isOfProject />
}

type DomainListProps = {
  project: string
  /** `true`, `false`, or `''` for both. */
  verified: string
  isOfProject?: boolean
  children?: React.ReactNode
}

function DomainList({ project, verified, isOfProject = false, children }: DomainListProps) {
  const trpc = useTRPC()
  const [isAdding, setAdding] = useState(false)
  const filters = {
    ...(project !== '' && { project }),
    ...(verified !== '' && { verified: verified === 'true' }),
  }
  const domains = useInfiniteQuery(
    trpc.domains.list.infiniteQueryOptions({ limit: 50, ...filters }, byCursor),
  )
  const isFiltered = !isOfProject && Object.keys(filters).length > 0
  const isLimited = useIsLimited()
  const isKnown = useIsProject(project === '' ? undefined : project)
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add domain
    </Button>
  )
  return (
    <Page
      title="Domains"
      tabTitle={isOfProject ? `${project}: domains` : 'Domains'}
      actions={
        <>
          <SameAs
            isKnown={isKnown}
            method="GET"
            path={['v1', 'domains']}
            query={filters}
            svc={isFiltered || isOfProject ? undefined : { words: ['domains'] }}
            client={{ call: 'domains.list.query', input: filters }}
          />
          {!isLimited && add}
        </>
      }
    >
      {(isFiltered || domains.data?.pages[0]?.data.length !== 0) && children}
      <Pages
        query={domains}
        empty={<NoDomains isFiltered={isFiltered} isOfProject={isOfProject} isLimited={isLimited} />}
      >
        {(items) => <DomainTable domains={items} />}
      </Pages>
      {isAdding && (
        <Suspense>
          <AddDomain project={isOfProject ? project : ''} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Page>
  )
}

type NoDomainsProps = { isFiltered: boolean; isOfProject: boolean; isLimited: boolean }

function NoDomains({ isFiltered, isOfProject, isLimited }: NoDomainsProps) {
  if (isFiltered) return <Empty title="No domain matches">Change or clear the filters.</Empty>
  return (
    <Empty title={isOfProject ? 'No domain serves this project' : 'No domains'}>
      {isLimited
        ? 'Members of the whole team add domains.'
        : 'Add a name that you own. You get the records to create at your DNS provider.'}{' '}
      <a href={docs} className="text-accent underline">
        How domains work
      </a>
    </Empty>
  )
}
