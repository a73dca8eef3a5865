/** Which credential each call of a client has. */
import { type Call, isExchange, isOfPerson } from './call-scope.ts'
import { createJwtSource, type JwtSource, type Minted } from './jwt-source.ts'

export type Caller = {
  /** The JWTs of a call; undefined where it is made with the key or the session itself. */
  jwtsFor(call: Call): JwtSource | undefined
  /** Whether calls are made in the team, and so have another credential than those of the person. */
  isInTeam(call: Call): boolean
}

/**
 * The caller with a session in `team`: calls in it, reads and streams too, have a JWT of it where the server issues any. Without
 * `team`, reads have the key or the session. `mint` exchanges that for a JWT of a team, by default the caller's own.
 */
export function createCaller(
  team: string | undefined,
  mint: (team: string | undefined) => Promise<Minted>,
): Caller {
  const own = createJwtSource(() => mint(undefined), undefined)
  const ofTeam = team === undefined ? undefined : createJwtSource(() => mint(team), team)
  const isInTeam = (call: Call) => team !== undefined && !isExchange(call) && !isOfPerson(call, team)
  return {
    isInTeam,
    jwtsFor(call) {
      if (isInTeam(call)) return ofTeam
      return call.type === 'mutation' && !isExchange(call) ? own : undefined
    },
  }
}
