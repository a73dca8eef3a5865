'use client'
/** The newest deployments of a project. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { useRequiredRoute } from '@/lib/route'
import { Empty } from '@/ui/empty'
import { Loaded } from '@/ui/loaded'
import { SkeletonRows } from '@/ui/skeleton'
import { DeploymentRow } from '../deployments/deployment-row'

const newest = 8

/** The input that lists them. */
export const newestOf = (project: string) => ({ project, limit: newest })

export function RecentDeployments({ project }: { project: string }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const deployments = useQuery(trpc.deployments.list.queryOptions(newestOf(project)))
  return (
    <Loaded query={deployments} skeleton={<SkeletonRows rows={newest} />}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title="No deployments">
            Deploy the directory of a site with <code>svc deploy --project {project}</code>.
          </Empty>
        ) : (
          <ul
            aria-label="Newest deployments"
            className="divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {data.map((deployment) => (
              <li key={deployment.id}>
                <DeploymentRow team={team} deployment={deployment} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
