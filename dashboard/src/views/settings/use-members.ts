'use client'
/** Changes of a team's members: the API takes the complete list. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'

export type TeamDetails = Outputs['teams']['get']
type Role = TeamDetails['role']
/** Without `projects` a limit stays as it is. */
type Wanted = { email: string | null; role: Role; projects?: string[] | null }
/** The ids of projects; null without a limit. */
type Limit = readonly string[] | null

/** Functions that change the list as it was read; a list that somebody else has changed since is refused. */
export function useMembers(team: TeamDetails, onSuccess?: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.teams.put.mutationOptions({
      ...(onSuccess && { onSuccess }),
      onSettled: () => queries.invalidateQueries(trpc.teams.pathFilter()),
    }),
  )
  const now: Wanted[] = team.members.map(({ email, role }) => ({ email, role }))
  const put = (members: Wanted[]) =>
    save.mutate({ team: team.slug, members: distinct(members), updated_ms: team.updated_ms })
  return {
    save,
    invite: (email: string, role: Role, projects: Limit) =>
      put([...now, { email, role, projects: projects && [...projects] }]),
    change: (email: string | null, role: Role) =>
      put(now.map((each) => (each.email === email ? { email, role } : each))),
    limit: (email: string | null, projects: Limit) =>
      put(
        now.map((each) => (each.email === email ? { ...each, projects: projects && [...projects] } : each)),
      ),
    remove: (email: string | null) => put(now.filter((each) => each.email !== email)),
  }
}

/** Members without an address are one entry. */
function distinct(members: Wanted[]): Wanted[] {
  return [...new Map(members.map((each) => [each.email, each])).values()]
}
