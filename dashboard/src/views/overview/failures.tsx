'use client'
/** Deployments that failed lately and are still the newest of their project. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Icon } from '@/ui/icons'
import { Time } from '@/ui/time'

export function Failures() {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const { data } = useQuery(trpc.observability.overview.queryOptions({}))
  const recent = data?.recent_deployments ?? []
  const failed = recent.filter(
    ({ state, project }, at) =>
      state === 'error' && recent.findIndex((each) => each.project === project) === at,
  )
  if (failed.length === 0) return null
  return (
    <ul aria-label="Failed deployments" className="mb-6 grid grid-cols-1 gap-2">
      {failed.map(({ id, project, error, created_ms }) => (
        <li key={id}>
          <Link
            href={deploymentPath(team, project, id)}
            prefetch={false}
            className={
              'flex items-center gap-2 rounded-md border border-bad/40 bg-bad-soft ' +
              'px-3 py-2 hover:border-bad'
            }
          >
            <Icon name="alert" className="text-bad" />
            <span className="font-medium">{project}</span>
            <span className="min-w-0 flex-1 truncate">{error?.message ?? 'The deployment failed.'}</span>
            <Time ms={created_ms} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
