/** The rights of the person in the team of the page. */
import { useTeam } from './team'

/** The role of the person; undefined until it is known. */
export function useRole(): 'owner' | 'member' | undefined {
  return useTeam()?.role
}

/** Whether the person sees only some projects of the team; false until it is known. */
export function useIsLimited(): boolean {
  return useTeam()?.limited ?? false
}
