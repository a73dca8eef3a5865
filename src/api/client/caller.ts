/** Which credential each call of a client has. */
import { type Call, isAboutTeam, isExchange, isOfPerson } from './call-scope.ts'
import { createJwtSource, type JwtSource, type Minted } from './jwt-source.ts'

export type Caller = {
  /**
   * Undefined once it is known whose the call is; until then resolves when it is: a team has a slug and an
   * id, and a call may name the other one.
   */
  known(call: Call): Promise<void> | undefined
  /** The JWTs of a call; undefined where it is made with the key or the session itself. */
  jwtsFor(call: Call): JwtSource | undefined
  /** Whether calls are made in the team, and so have another credential than those of the person. */
  isInTeam(call: Call): boolean
}

/**
 * The caller with a session in `team`: calls in it, reads and streams too, have a JWT of it where the server
 * issues any. Without `team`, reads have the key or the session. `mint` exchanges that for a JWT of a team,
 * by default the caller's own.
 */
export function createCaller(
  team: string | undefined,
  mint: (team: string | undefined) => Promise<Minted>,
): Caller {
  const own = createJwtSource({ mint: () => mint(undefined) }, undefined)
  const ofTeam = team === undefined ? undefined : createJwtSource({ mint: () => mint(team) }, team)
  const isInTeam = (call: Call) =>
    ofTeam !== undefined && !isExchange(call) && !isOfPerson(call, [team, ...ofTeam.names()])
  return {
    // Where the team can't be entered, the call is the person's.
    known: (call) => (isAboutTeam(call) && !isInTeam(call) ? ofTeam?.settled()?.catch(() => {}) : undefined),
    isInTeam,
    jwtsFor(call) {
      if (isInTeam(call)) return ofTeam
      return call.type === 'mutation' && !isExchange(call) ? own : undefined
    },
  }
}
