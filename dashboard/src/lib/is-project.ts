/** Whether a name from the address is a project's. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from './api'

/** Whether the project is known to exist; true without one. */
export function useIsProject(project: string | undefined): boolean {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.projects.get.queryOptions(project === undefined ? skipToken : { project }))
  return project === undefined || data !== undefined
}
