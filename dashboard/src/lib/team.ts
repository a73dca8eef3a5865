/** The team of the page. */
import { useQuery } from '@tanstack/react-query'
import { type Outputs, useTRPC } from './api'
import { useRequiredRoute } from './route'

export type TeamRecord = Outputs['teams']['list']['data'][number]

/** The team with the person's role in it; undefined until it is known. */
export function useTeam(): TeamRecord | undefined {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const { data } = useQuery(trpc.teams.list.queryOptions({ limit: 100 }))
  return data?.data.find(({ slug }) => slug === team)
}
