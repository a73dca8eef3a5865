'use client'
/** All deployments of a project, filtered by what the URL says. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { useIsProject } from '@/lib/is-project'
import { byCursor } from '@/lib/pages'
import { useProject, useRequiredRoute } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { WindowList } from '@/ui/window-list'
import { DeploymentRow } from './deployment-row'
import { Filters } from './filters'

const rowHeight = 64
const pageSize = 50

export function Deployments() {
  const { team } = useRequiredRoute()
  const project = useProject()
  const trpc = useTRPC()
  const { get, set } = useUrlState()
  const [state, target, branch] = [get('state'), targetOf(get('target')), get('branch')]
  const filters = { ...(state && { state }), ...(target && { target }), ...(branch && { branch }) }
  const deployments = useInfiniteQuery(
    trpc.deployments.list.infiniteQueryOptions({ project, limit: pageSize, ...filters }, byCursor),
  )
  const isKnown = useIsProject(project)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page
      title="Deployments"
      tabTitle={`Deployments of ${project}`}
      actions={
        <SameAs
          isKnown={isKnown}
          method="GET"
          path={['v1', 'deployments']}
          query={{ project, ...filters }}
          svc={{ words: ['deployments'], options: { '--project': project } }}
          client={{ call: 'deployments.list.query', input: { project, ...filters } }}
        />
      }
    >
      <Filters state={state} target={target ?? ''} branch={branch} onChange={set} />
      <Pages
        query={deployments}
        empty={
          isFiltered ? (
            <Empty title="No deployment matches these filters" />
          ) : (
            <Empty title="No deployments">
              Deploy the directory of a site with <code>svc deploy --project {project}</code>.
            </Empty>
          )
        }
      >
        {(items) => (
          <WindowList label="Deployments" items={items} rowHeight={rowHeight} keyOf={({ id }) => id}>
            {(deployment) => <DeploymentRow team={team} deployment={deployment} />}
          </WindowList>
        )}
      </Pages>
    </Page>
  )
}

function targetOf(text: string): 'production' | 'preview' | undefined {
  return text === 'production' || text === 'preview' ? text : undefined
}
