'use client'
/** The server of a project: what runs, and what it prints. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { useProject } from '@/lib/route'
import { Section } from '@/ui/card'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { NoServer } from './no-server'
import { Processes } from './processes'
import { ProductionServer } from './production-server'
import { Restart } from './restart'
import { ServerLog } from './server-log'

/** Nothing says when a state changes, or how much memory is used. */
const everyMs = 3_000

export function Server() {
  const name = useProject()
  const trpc = useTRPC()
  const project = useQuery(trpc.projects.get.queryOptions({ project: name }))
  return (
    <Loaded query={project} title="Server">
      {(found) => <Found key={found.id} project={found} />}
    </Loaded>
  )
}

function Found({ project }: { project: Outputs['projects']['get'] }) {
  const trpc = useTRPC()
  const { name, production_deployment: live, runtime } = project
  const running = useQuery(trpc.ps.list.queryOptions({ project: name }, { refetchInterval: everyMs }))
  const production = useQuery(
    trpc.deployments.get.queryOptions(live === null ? skipToken : { deployment: live }, {
      refetchInterval: everyMs,
    }),
  )
  const server = production.data?.server ?? null
  const isKnown = live === null || !production.isPending
  const hasServer = server !== null || (running.data?.data.length ?? 0) > 0
  return (
    <Page
      title="Server"
      tabTitle={`Server of ${name}`}
      actions={
        <>
          <SameAs
            isKnown
            method="GET"
            path={['trpc', 'ps.list']}
            query={{ input: JSON.stringify({ project: name }) }}
            svc={{ words: ['ps'], options: { '--project': name } }}
            client={{ call: 'ps.list.query', input: { project: name } }}
          />
          {hasServer && <Restart project={name} />}
        </>
      }
    >
      <Loaded query={running}>
        {({ data }) =>
          isKnown &&
          (hasServer ? (
            <>
              {server !== null && <ProductionServer server={server} running={data} runtime={runtime} />}
              <Section title="Processes" note="Each node that serves a deployment runs a process of its own.">
                <Processes running={data} />
              </Section>
              <Section title="Output" note="What servers of this project print, as it comes.">
                <ServerLog project={name} />
              </Section>
            </>
          ) : (
            <NoServer project={name} />
          ))
        }
      </Loaded>
    </Page>
  )
}
