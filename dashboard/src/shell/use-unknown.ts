/** Whether what the address names is there for this person. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { statusOf } from '@/lib/api-error'
import type { Route } from '@/lib/route'

/** The part of the route that isn't there, or not for this person; undefined while that is unknown. */
export function useUnknown({ team, project }: Route): 'team' | 'project' | undefined {
  const trpc = useTRPC()
  const teams = useQuery(trpc.teams.list.queryOptions({ limit: 100 }))
  const found = useQuery(trpc.projects.get.queryOptions(project === undefined ? skipToken : { project }))
  const isForeign = teams.data && !teams.data.data.some(({ slug }) => slug === team)
  if (isForeign || statusOf(teams.error) === 404) return 'team'
  return statusOf(found.error) === 404 ? 'project' : undefined
}
