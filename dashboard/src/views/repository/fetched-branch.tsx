'use client'
/** The progress of a branch that is fetched and deployed: from the fetch to the deployment. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type Outputs, useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { StateBadge } from '@/ui/badge'
import { Spinner } from '@/ui/spinner'

export type Delivery = Outputs['git']['deploy']

type Props = { project: { id: string; name: string }; queued: Delivery }

/** Deliveries make no events. */
const againMs = 1_000

export function FetchedBranch({ project, queued }: Props) {
  const trpc = useTRPC()
  const find = (all: Delivery[] | undefined) => all?.find(({ id }) => id === queued.id)
  const deliveries = useQuery(
    trpc.git.deliveries.queryOptions(
      { project: project.id },
      {
        refetchInterval: ({ state }) =>
          (find(state.data?.data)?.ended_ms ?? null) === null ? againMs : false,
      },
    ),
  )
  const { branch, deployment, status, outcome } = find(deliveries.data?.data) ?? queued
  const name = visibleLine(branch ?? '')
  if (deployment !== null) return <Made project={project.name} id={deployment} branch={name} />
  if (status === 'failed' || status === 'done')
    return (
      <p role="alert" className="rounded-md border border-bad/40 bg-bad-soft p-3">
        {name} is not deployed. {outcome}
      </p>
    )
  return (
    <p role="status" className="flex items-center gap-2">
      <Spinner />
      <span className="min-w-0 break-words">
        {name} is fetched from the forge. {outcome}
      </span>
    </p>
  )
}

function Made({ project, id, branch }: { project: string; id: string; branch: string }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const { data } = useQuery(trpc.deployments.get.queryOptions({ deployment: id }))
  return (
    <p role="status" className="flex flex-wrap items-center gap-2">
      {data && <StateBadge state={data.state} live={data.live} />}
      <span>{branch} is fetched.</span>
      <Link href={deploymentPath(team, project, id)} className="underline">
        Show its deployment
      </Link>
    </p>
  )
}
