'use client'
/** A project: what is live, its newest deployments, previews and domains. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { projectPath } from '@/lib/paths'
import { useProject, useRequiredRoute } from '@/lib/route'
import { LinkButton } from '@/ui/button'
import { Section } from '@/ui/card'
import { Loaded, useSkeleton } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { PickButtons } from '../drop/pick-buttons'
import { useDrop } from '../drop/use-drop'
import { ProjectDomains } from './domains'
import { Previews } from './previews'
import { Production } from './production'
import { newestOf, RecentDeployments } from './recent-deployments'

export function Project() {
  const { team } = useRequiredRoute()
  const name = useProject()
  const trpc = useTRPC()
  const { deploy, layer } = useDrop(name)
  const project = useQuery(trpc.projects.get.queryOptions({ project: name }))
  const deployments = useQuery(trpc.deployments.list.queryOptions(newestOf(name)))
  const isSkeleton = useSkeleton(deployments)
  return (
    <Page
      title={name}
      actions={
        <SameAs
          isKnown={project.data !== undefined}
          method="GET"
          path={['v1', 'projects', name]}
          svc={{ words: ['projects', 'show'], values: [name] }}
          client={{ call: 'projects.get.query', input: { project: name } }}
        />
      }
    >
      {layer}
      <Loaded query={project}>
        {(found) => (
          <>
            {found.note !== null && <p className="mb-4 max-w-prose text-dim">{found.note}</p>}
            <Production project={found} newest={deployments.data?.data ?? []} />
            <Section
              title="Deployments"
              actions={
                <>
                  <PickButtons onChosen={deploy} compact />
                  <LinkButton href={projectPath(team, name, 'deployments')} prefetch={false}>
                    All deployments
                  </LinkButton>
                </>
              }
            >
              <RecentDeployments project={name} />
            </Section>
            {/* Not before it is known how much is above them, so that they don't jump. */}
            {!isSkeleton && (
              <>
                <ProjectDomains names={found.domains} />
                <Previews project={found} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
