/**
 * The JWT that a client or a page of the dashboard holds, of one team only. It imports nothing of tRPC, whose
 * version is each package's own.
 */
import { isRecord } from '../../lib/is-record.ts'
import { claimsOf } from './jwt-claims.ts'

/** The response of `tokens.mint`, as far as it matters here; `team` is a slug. */
export type Minted = { token: string; team: string }

export type JwtSource = {
  /** The JWT to send; undefined for the key or the session itself. Kept in memory only. */
  current(): string | undefined
  /** The slug and the id of the JWT's team; none before there is one. */
  names(): readonly unknown[]
  /**
   * Undefined once it is known what to send; until then resolves when it is. Rejects where the team can't be
   * entered, so that no call is made in another.
   */
  settled(): Promise<void> | undefined
  /** Replaces the JWT `used`, once for calls refused at the same time. Rejects with the error of minting. */
  renew(used: string | undefined): Promise<void>
}

type Server = {
  /** Exchanges the key or the session for a JWT. */
  mint(): Promise<Minted>
  /** Whether the server requires JWTs; where it isn't asked, a first exchange finds out. */
  isRequired?(): Promise<boolean>
  /** The error for a JWT of another team than the wanted one. */
  refuse?(message: string): Error
}

/**
 * Holds what the server mints: with a `team` (a slug or id) of that one, settled before the first call, since
 * a server that issues JWTs ignores the header that selects a session's team; without one of the caller's
 * own, once a JWT is required.
 */
export function createJwtSource(
  { mint, isRequired, refuse = (message) => new Error(message) }: Server,
  team: string | undefined,
): JwtSource {
  let jwt: string | undefined
  let names: readonly unknown[] = []
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
      const { tenant } = claimsOf(minted.token)
      if (team !== undefined && team !== minted.team && team !== tenant)
        throw refuse(`The server issued a JWT of the team "${minted.team}" instead of "${team}".`)
      jwt = minted.token
      names = [minted.team, tenant]
    } catch (error) {
      if (!isNotIssued(error)) throw error
      jwt = undefined
    }
    isSettled = true
  }

  async function settle(): Promise<void> {
    if (!isRequired || (await isRequired())) await renew(undefined)
    isSettled = true
  }

  function settled(): Promise<void> | undefined {
    if (isSettled) return undefined
    settling ??= settle().finally(() => {
      settling = undefined
    })
    return settling
  }

  return { current: () => jwt, names: () => names, settled, renew }
}

/** Whether a server that issues no JWTs refused: it takes the key, or the session with its header. */
function isNotIssued(error: unknown): boolean {
  return isRecord(error) && isRecord(error.data) && error.data.reason === 'jwt_not_configured'
}
