'use client'
/** A deployment: its state as it changes, its log, files and details. */
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/lib/api'
import { projectPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'
import { Badge, StateBadge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Loaded } from '@/ui/loaded'
import { Page } from '@/ui/page'
import { SameAs } from '@/ui/same-as'
import { SubTabs } from '@/ui/sub-tabs'
import { VisitLink } from '@/ui/visit-link'
import { WarningList } from '@/ui/warning-list'
import { needsWorker } from '../../../../src/lib/needs-worker.ts'
import { warningText } from '../../../../src/lib/warning-text.ts'
import { addressOf, type DeploymentRecord, isUnfinished, titleOf } from '../deployments/about'
import { useActions } from '../deployments/use-actions'
import { BuildLog } from './build-log'
import { Changes } from './changes'
import { Details } from './details'
import { Failure } from './failure'
import { Files } from './files'
import { Steps } from './steps'
import { Summary } from './summary'

/** A state can change without an event that says so, such as the place in the queue. */
const unfinishedEveryMs = 2_000

export function Deployment() {
  const { rest } = useRequiredRoute()
  const [, id = ''] = rest
  const trpc = useTRPC()
  const deployment = useQuery(
    trpc.deployments.get.queryOptions(
      { deployment: id },
      {
        refetchInterval: ({ state: { data } }) => (data && isUnfinished(data) ? unfinishedEveryMs : false),
      },
    ),
  )
  return (
    <Loaded query={deployment} title="Deployment">
      {(found) => <Found key={found.id} deployment={found} />}
    </Loaded>
  )
}

const words: Record<string, string> = {
  queued: 'Queued',
  building: 'Building',
  ready: 'Ready',
  error: 'Failed',
  canceled: 'Canceled',
}

function Found({ deployment }: { deployment: DeploymentRecord }) {
  const { id, state, error, live, target, project, untrusted } = deployment
  const title = titleOf(deployment)
  return (
    <Page
      title={title}
      tabTitle={`${words[state] ?? state}: ${title}`}
      note={
        <span className="flex flex-wrap items-center gap-2">
          <StateBadge state={state} live={live} />
          <Badge>{live || target === 'production' ? 'Production' : 'Preview'}</Badge>
          {untrusted && <Badge tone="warn">Untrusted</Badge>}
        </span>
      }
      actions={
        <>
          <SameAs
            isKnown={true}
            method="GET"
            path={['v1', 'deployments', id]}
            svc={{ words: ['deployments', 'show'], values: [id] }}
            client={{ call: 'deployments.get.query', input: { deployment: id } }}
          />
          <Actions deployment={deployment} project={project} />
        </>
      }
    >
      <Summary deployment={deployment} />
      <Steps deployment={deployment} />
      {state === 'error' && error && <Failure error={error} />}
      <WarningList texts={deployment.warnings.map(warningText)} />
      <Parts deployment={deployment} />
    </Page>
  )
}

function Actions({ deployment, project }: { deployment: DeploymentRecord; project: string }) {
  const { team } = useRequiredRoute()
  const router = useRouter()
  const { actions, dialog } = useActions(deployment, () =>
    router.push(projectPath(team, project, 'deployments')),
  )
  return (
    <>
      {actions.map(({ kind, label, danger, problem, start }) => (
        <Button
          key={kind}
          look={danger ? 'danger' : 'plain'}
          onClick={start}
          disabled={problem !== undefined}
          title={problem}
        >
          {label}
        </Button>
      ))}
      {deployment.state === 'ready' && <VisitLink url={addressOf(deployment)} />}
      {dialog}
    </>
  )
}

function Parts({ deployment }: { deployment: DeploymentRecord }) {
  const { get, set } = useUrlState()
  const isBuilt = needsWorker(deployment.build)
  const tabs = [
    ...(isBuilt ? [{ id: 'log', label: 'Build log' }] : []),
    { id: 'files', label: isUnfinished(deployment) ? 'Sources' : 'Files' },
    { id: 'changes', label: 'Changes' },
    { id: 'details', label: 'Details' },
  ]
  const chosen = tabs.find(({ id }) => id === get('tab'))?.id ?? tabs[0]?.id ?? 'files'
  return (
    <>
      <SubTabs label="Parts of the deployment" tabs={tabs} chosen={chosen} onChoose={(tab) => set({ tab })} />
      {chosen === 'log' && <BuildLog deployment={deployment.id} isUnfinished={isUnfinished(deployment)} />}
      {chosen === 'files' && <Files deployment={deployment} />}
      {chosen === 'changes' && <Changes deployment={deployment} />}
      {chosen === 'details' && <Details deployment={deployment} />}
    </>
  )
}
