'use client'
/** The deployment that visitors of a project get now. */
import { skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { StateBadge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Skeleton } from '@/ui/skeleton'
import { Time } from '@/ui/time'
import { VisitLink } from '@/ui/visit-link'
import { authorOf, type DeploymentRecord, isUnfinished, sourceOf, titleOf, wayOf } from '../deployments/about'
import { useActions } from '../deployments/use-actions'

type ProjectRecord = Outputs['projects']['get']

type ProductionProps = {
  project: ProjectRecord
  /** Its newest deployments, as far as they are known; one that is live needs no call of its own. */
  newest: DeploymentRecord[]
}

export function Production({ project, newest }: ProductionProps) {
  const { production_url, production_deployment } = project
  return (
    <Card className="mb-8">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-dim">Production</h2>
          <Copyable text={production_url} label="Copy the address" />
        </div>
        <div className="flex w-full gap-2 sm:w-auto">
          <RollBack project={project.name} />
          <VisitLink url={production_url} />
        </div>
      </div>
      <div className="mt-4 border-line border-t pt-4">
        {production_deployment === null ? (
          <NothingLive isComing={project.auto_promote && newest.some(isComing)} />
        ) : (
          <Live id={production_deployment} listed={newest.find(({ id }) => id === production_deployment)} />
        )}
      </div>
    </Card>
  )
}

/** Whether it becomes what visitors get once it is ready. */
const isComing = (deployment: DeploymentRecord) =>
  deployment.target === 'production' && isUnfinished(deployment)

function NothingLive({ isComing }: { isComing: boolean }) {
  if (isComing)
    return <p className="text-dim">Nothing is live yet: what is being deployed goes live once it is ready.</p>
  return (
    <p className="text-dim">
      Nothing is live. Deploy with <code className="font-mono">svc deploy --prod</code>, or promote a preview.
    </p>
  )
}

function Live({ id, listed }: { id: string; listed: DeploymentRecord | undefined }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const found = useQuery(trpc.deployments.get.queryOptions(listed ? skipToken : { deployment: id }))
  const data = listed ?? found.data
  // As high as the facts, which stand below each other on a phone.
  if (!data) return <Skeleton className="h-[11.5rem] w-2/3 sm:h-10" />
  return (
    <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,3fr)_auto]">
      <Fact label="Deployment">
        <Link
          href={deploymentPath(team, data.project, id)}
          prefetch={false}
          className="font-medium hover:underline"
        >
          {titleOf(data)}
        </Link>
      </Fact>
      <Fact label="Source">
        {sourceOf(data) ? <code className="font-mono text-xs">{sourceOf(data)}</code> : wayOf(data.source)}
      </Fact>
      <Fact label="Made">
        <span title={authorOf(data)}>
          <Time ms={data.created_ms} /> {authorOf(data)}
        </span>
      </Fact>
      <Fact label="Live since">
        <span className="flex items-center gap-2">
          {data.live_since_ms !== null && <Time ms={data.live_since_ms} />}
          <StateBadge state={data.state} live={data.live} />
        </span>
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-dim text-xs">{label}</dt>
      <dd className="truncate">{children}</dd>
    </div>
  )
}

/** How far back a deployment is looked for that was live before. */
const looked = 100

/** Further back each time: what was rolled back from stays away. */
function RollBack({ project }: { project: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.deployments.list.queryOptions({ project, state: 'ready', limit: looked }))
  const newestFirst = data?.data ?? []
  const older = newestFirst.slice(newestFirst.findIndex(({ live }) => live) + 1)
  const before = older
    .filter(({ rollback_candidate }) => rollback_candidate)
    .sort((a, b) => (b.live_since_ms ?? 0) - (a.live_since_ms ?? 0))[0]
  return before ? <RollBackTo deployment={before} /> : null
}

function RollBackTo({ deployment }: { deployment: DeploymentRecord }) {
  const { actions, dialog } = useActions(deployment)
  const promote = actions.find(({ kind }) => kind === 'promote')
  return (
    <>
      <Button onClick={promote?.start} title={`To “${titleOf(deployment)}”`}>
        Roll back
      </Button>
      {dialog}
    </>
  )
}
