/** The JWT that calls in a team have, on servers that require one. */
import { isApiFailure } from './api-error'
import { claimsOf } from './jwt-claims'
import { Refusal } from './refusal'
import type { CheckPerson } from './same-person'

/** What `tokens.mint` returns, as far as it matters here; `team` is a slug. */
type Minted = { token: string; team: string }

export type JwtSource = {
  /** The JWT to send; undefined for the session itself. Kept in memory only. */
  current(): string | undefined
  /**
   * Undefined once it is known what to send; until then resolves when it is. Rejects where the team can't be entered, so
   * that no call is made in another.
   */
  settled(): Promise<void> | undefined
  /** Replaces the JWT `used`, once for calls refused at the same time. Rejects with the error of minting. */
  renew(used: string | undefined): Promise<void>
}

type Server = {
  /** Exchanges the session for a JWT. */
  mint(): Promise<Minted>
  /** Whether the server requires JWTs. */
  isRequired(): Promise<boolean>
}

/**
 * Holds what `mint` issues, for the person of the page alone. With a `team` it is settled before the first call, since a server that requires JWTs ignores the
 * header that selects a session's team.
 */
export function createJwtSource(
  { mint, isRequired }: Server,
  team: string | undefined,
  checkPerson: CheckPerson,
): JwtSource {
  let jwt: string | undefined
  let minting: Promise<void> | undefined
  let settling: Promise<void> | undefined
  let isSettled = team === undefined

  function renew(used: string | undefined): Promise<void> {
    if (jwt !== used) return Promise.resolve()
    minting ??= exchange().finally(() => {
      minting = undefined
    })
    return minting
  }

  async function exchange(): Promise<void> {
    try {
      const minted = await mint()
      checkPerson(claimsOf(minted.token).sub)
      checkTeam(minted, team)
      jwt = minted.token
    } catch (error) {
      if (!isApiFailure(error) || error.data?.reason !== 'jwt_not_configured') throw error
      jwt = undefined
    }
    isSettled = true
  }

  async function settle(): Promise<void> {
    if (await isRequired()) await renew(undefined)
    isSettled = true
  }

  function settled(): Promise<void> | undefined {
    if (isSettled) return undefined
    settling ??= settle().finally(() => {
      settling = undefined
    })
    return settling
  }

  return { current: () => jwt, settled, renew }
}

function checkTeam({ team: issued }: Minted, asked: string | undefined): void {
  if (asked === undefined || asked === issued) return
  throw new Refusal(`The server issued a JWT of the team "${issued}" instead of "${asked}".`)
}
