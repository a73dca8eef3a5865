/** Exchanges an identity token for a JWT of the API (in the manner of RFC 8693), which a policy allows. */
import { BusyResponse, isBusyStatus } from '../../../api/client/retry-after.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { Failure, type FailureBody, failed } from '../../command-failure.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Io } from '../../io.ts'
import { ask } from '../ask.ts'
import { matchableClaims } from './claims.ts'

export type Exchanged = {
  /** The JWT; it is never printed. */
  token: string
  /** The team's slug. */
  team: string
  role: string
  expiresMs: number
}

type Question = {
  /** The API's origin, which alone gets the token. */
  url: string
  identityToken: string
  /** Where it comes from. */
  source: string
  /** Slugs or ids. */
  team: string
  project: string
}

/**
 * The JWT for `project` of `team`.
 * @throws Failure (3) with the server's sentence where it refuses, and the token's claims where no policy
 * matches them; (6) while it is busy, in which case the call may be made again.
 */
export async function exchangeIdentity({ env, signal }: Io, question: Question): Promise<Exchanged> {
  const { url, identityToken, team, project } = question
  const { status, headers, text } = await ask(url, `${url}/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oidc_token: identityToken, team, project }),
    env,
    stops: [signal],
  })
  const said = recordOf(text)
  if (isBusyStatus(status)) throw busy(said, new BusyResponse({ status, headers }))
  if (status !== 200) throw refused(question, said)
  const { token, team: slug, role, expires_ms: expiresMs } = said
  if (isWord(token) && typeof slug === 'string' && typeof role === 'string' && typeof expiresMs === 'number')
    return { token, team: slug, role, expiresMs }
  throw failed(`${url} answered the exchange of an identity token with something else than a JWT.`)
}

function recordOf(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : {}
}

/** Fit for a header. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

function busy({ message }: Record<string, unknown>, cause: BusyResponse): Failure {
  return new Failure(exitCodes.unavailable, { reason: 'server_away', message: String(message) }, cause)
}

/** The reasons with which a server refuses an exchange, and those that are about the request. */
const known: FailureBody['reason'][] = ['unauthorized', 'not_trusted', 'jwt_not_configured', 'invalid_input']

function refused(question: Question, said: Record<string, unknown>): Failure {
  const reason = known.find((each) => each === said.reason) ?? 'failed'
  const sentence = `${question.url} did not accept the identity token of ${question.source}: ${said.message}`
  const requestId = typeof said.request_id === 'string' ? { request_id: said.request_id } : {}
  if (reason !== 'not_trusted') {
    return new Failure(exitCodes.notAllowed, { reason, message: sentence, ...requestId })
  }
  const claims = matchableClaims(question.identityToken)
  const advice = 'The claims that a policy can match are:'
  const message = claims.length === 0 ? sentence : `${sentence} ${advice}`
  return new Failure(exitCodes.notAllowed, { reason, message, items: claims, ...requestId })
}
