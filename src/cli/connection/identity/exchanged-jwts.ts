/** The JWT of a job without a key, kept in memory only and replaced once it is no longer accepted. */

import { Failure, usageFailure } from '../../command-failure.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Io } from '../../io.ts'
import type { Exchanged } from './exchange-identity.ts'
import type { IdentityTokens } from './identity-tokens.ts'

export type ExchangedJwts = {
  /** The present JWT, from a first exchange where there is none yet. */
  current(): Promise<Exchanged>
  /** Another one for `used`, once for calls that are refused at the same time. */
  renew(used: string): Promise<Exchanged>
}

/** The team and the project that the JWT is for, each a slug or an id. */
export type Scope = { team?: string | undefined; project?: string | undefined }

/** Exchanges the job's identity tokens at the API at `url`, on first use. */
export function exchangedJwts(
  io: Io,
  url: string,
  identity: IdentityTokens,
  scope: () => Scope,
): ExchangedJwts {
  let last: Promise<Exchanged> | undefined

  async function exchange(): Promise<Exchanged> {
    const { team, project } = requireScope(scope())
    const identityToken = await identity.tokenFor(url)
    const { exchangeIdentity } = await import('./exchange-identity.ts')
    return exchangeIdentity(io, { url, identityToken, source: identity.source, team, project })
  }

  function current(): Promise<Exchanged> {
    if (last) return last
    const begun = exchange()
    last = begun
    // What failed may be tried again.
    begun.catch(() => {
      if (last === begun) last = undefined
    })
    return begun
  }

  async function renew(used: string): Promise<Exchanged> {
    const before = last
    if ((await before)?.token === used && last === before) {
      if (!identity.isRenewable) throw ended(identity.source)
      last = undefined
    }
    return current()
  }

  return { current, renew }
}

/**
 * Sends with the JWT, and once more with another where the server no longer accepts it (401).
 * @throws Failure where it accepts neither, and what the exchange throws.
 */
export async function sendWithJwt<T extends { status: number }>(
  jwts: ExchangedJwts,
  send: (jwt: string) => Promise<T>,
): Promise<T> {
  const { token } = await jwts.current()
  const answer = await send(token)
  if (answer.status !== 401) return answer
  const { token: another } = await jwts.renew(token)
  const second = await send(another)
  if (second.status !== 401) return second
  throw new Failure(exitCodes.notAllowed, {
    reason: 'unauthorized',
    message: 'The server does not accept the JWT that it just issued for the identity token.',
  })
}

function requireScope({ team, project }: Scope): { team: string; project: string } {
  if (!team) {
    throw usageFailure("An identity token is exchanged for one team: set SVC_TEAM to the team's slug.")
  }
  if (project) return { team, project }
  throw usageFailure('An identity token is exchanged for one project: pass --project, or have an svc.json.')
}

function ended(source: string): Failure {
  return new Failure(exitCodes.notAllowed, {
    reason: 'unauthorized',
    message: `The JWT for ${source} is no longer accepted, and the job has no other token: run it again.`,
  })
}
