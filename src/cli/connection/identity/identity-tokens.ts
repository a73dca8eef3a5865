/**
 * The identity tokens of a job of continuous integration (OpenID Connect Core 1.0, section 2): what the
 * system signed about the job, for one audience.
 */

import { isRecord } from '../../../lib/is-record.ts'
import { parseUrl } from '../../../lib/names/parse-url.ts'
import { version } from '../../../lib/version.ts'
import { Failure, failed, usageFailure } from '../../command-failure.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { Io } from '../../io.ts'
import { exchange } from '../http-request.ts'
import { findThrough } from '../proxy/find-proxy.ts'

type Surroundings = Pick<Io, 'env' | 'signal'>

export type IdentityTokens = {
  /** Where they come from, as errors name it. */
  source: string
  /** Whether there is another once one has expired. */
  isRenewable: boolean
  /** A token for the API at this origin. @throws Failure that says what is wrong, without the token. */
  tokenFor(audience: string): Promise<string>
}

/**
 * Those of the job that runs: `SVC_OIDC_TOKEN`, as GitLab's `id_tokens` set it, else what GitHub Actions
 * issue, and those of Gitea and Forgejo, which have the same variables. Undefined where there are none.
 */
export function identityTokens(io: Surroundings): IdentityTokens | undefined {
  const { SVC_OIDC_TOKEN: given, ACTIONS_ID_TOKEN_REQUEST_URL: address } = io.env
  const { ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = io.env
  if (given?.trim()) {
    return { source: 'SVC_OIDC_TOKEN', isRenewable: false, tokenFor: async () => checked(given.trim()) }
  }
  if (!address || !secret) return undefined
  return {
    source: 'this job',
    isRenewable: true,
    tokenFor: (audience) => requestToken(io, { address, secret, audience }),
  }
}

/** A JWT in the compact serialization (RFC 7515, section 7.1). */
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/

function checked(token: string): string {
  if (jwtPattern.test(token)) return token
  throw usageFailure('SVC_OIDC_TOKEN is not an identity token, which is a JWT: three parts with dots.')
}

const timeoutMs = 30_000

/** Longer than any token; what a server accepts as headers is less. */
const maxBytes = 64 * 1024

const endpoint = 'The endpoint of ACTIONS_ID_TOKEN_REQUEST_URL'

type Wanted = { address: string; secret: string; audience: string }

/** Requests a token as GitHub documents it for jobs with the permission `id-token: write`. */
async function requestToken({ env, signal }: Surroundings, wanted: Wanted): Promise<string> {
  const url = withAudience(wanted)
  const timeout = AbortSignal.timeout(timeoutMs)
  const answer = await exchange(
    url,
    {
      method: 'GET',
      headers: {
        accept: 'application/json',
        authorization: `bearer ${wanted.secret}`,
        'user-agent': `svc/${version}`,
      },
      signal: AbortSignal.any([timeout, signal]),
      through: await findThrough(env, url),
    },
    maxBytes,
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    const message = `${endpoint} does not respond, so this job has no identity token. Run it again.`
    throw new Failure(exitCodes.unavailable, { reason: 'server_away', message }, error)
  })
  if (answer.status !== 200) {
    throw failed(`${endpoint} issued no identity token (status ${answer.status}). Run the job again.`)
  }
  const token = tokenIn(answer.text)
  if (token !== undefined && jwtPattern.test(token)) return token
  throw failed(`${endpoint} sent something else than an identity token.`)
}

function withAudience({ address, audience }: Wanted): string {
  const url = parseUrl(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageFailure('ACTIONS_ID_TOKEN_REQUEST_URL is no address: the runner sets it.')
  }
  url.searchParams.set('audience', audience)
  return url.href
}

function tokenIn(text: string): string | undefined {
  try {
    const said: unknown = JSON.parse(text)
    return isRecord(said) && typeof said.value === 'string' ? said.value : undefined
  } catch {
    return undefined
  }
}
