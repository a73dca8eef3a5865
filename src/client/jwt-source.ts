/** The JWT that a client holds, of one team only. */
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter } from '../routers/index.ts'
import { claimsOf } from './jwt-claims.ts'

/** What `tokens.mint` returns, as far as it matters here; `team` is a slug. */
export type Minted = { token: string; team: string }

export type JwtSource = {
  /** The JWT to send; undefined for the key or the session itself. */
  current(): string | undefined
  /** The slug and the id of the JWT's team; none before there is one. */
  names(): readonly unknown[]
  /**
   * Undefined once it is known what to send; until then resolves when it is. Rejects where the team can't be entered, so
   * that no call is made in another.
   */
  settled(): Promise<void> | undefined
  /** Replaces the JWT `used`, once for calls refused at the same time. Rejects with the error of minting. */
  renew(used: string | undefined): Promise<void>
}

/**
 * Holds what `mint` issues: with a `team` (a slug or id) of that one, settled before the first call, since a server that issues
 * JWTs ignores the header that selects a session's team; without one of the caller's own, once a JWT is required.
 */
export function createJwtSource(mint: () => Promise<Minted>, team: string | undefined): JwtSource {
  let jwt: string | undefined
  let names: readonly unknown[] = []
  let minting: Promise<void> | undefined
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
      checkTeam(minted, team)
      jwt = minted.token
      names = [minted.team, claimsOf(minted.token).tenant]
    } catch (error) {
      if (!isNotIssued(error)) throw error
      jwt = undefined
    }
    isSettled = true
  }

  return {
    current: () => jwt,
    names: () => names,
    settled: () => (isSettled ? undefined : renew(undefined)),
    renew,
  }
}

/** Whether a server that issues no JWTs refused: it takes the key, or the session with its header. */
function isNotIssued(error: unknown): boolean {
  return isTRPCClientError<AppRouter>(error) && error.data?.reason === 'jwt_not_configured'
}

function checkTeam({ token, team: issued }: Minted, wanted: string | undefined): void {
  if (wanted === undefined || wanted === issued || wanted === claimsOf(token).tenant) return
  throw new Error(`The server issued a JWT of the team "${issued}" instead of "${wanted}".`)
}
