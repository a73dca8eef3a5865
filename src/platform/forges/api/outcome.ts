/** The outcome of a request to a forge, by the forge's answer. */
import { readRetryAfter } from '../../../lib/net/retry-after.ts'
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import { forgeNames } from '../../projects/forge-names.ts'
import type { ForgeFailure, ForgeResponse } from './forge-fetch.ts'

/** `why` is a sentence for whoever set the token up, and says nothing that the forge said. */
export type Outcome =
  | { result: 'done' }
  | {
      result: 'retry'
      /** As long as the forge wants; undefined where it doesn't say. */
      afterMs: number | undefined
      why: string
    }
  | { result: 'given_up'; why: string }

/** The thing at the forge that a request is about. */
export type Thing = 'status' | 'comment' | 'hook'

/** The right that a token needs. */
const rights: Record<Forge, Record<Thing, string>> = {
  github: {
    status: 'to write commit statuses (of a classic token, the scope repo:status)',
    comment: 'to write pull requests (of a classic token, the scope repo)',
    hook: 'to write webhooks (of a classic token, the scope admin:repo_hook)',
  },
  gitlab: {
    status: 'api, in the role of a developer',
    comment: 'api, in the role of a developer',
    hook: 'api, in the role of a maintainer',
  },
  gitea: {
    status: 'write:repository',
    comment: 'write:issue',
    hook: 'write:repository, of an administrator of the repository',
  },
}

/** The longest time to wait that is honored. */
const maxAskedMs = 24 * 60 * 60_000

type Context = { provider: Forge; thing: Thing; nowMs: number }

/** The outcome that follows from the answer to a request. */
export function outcomeOf(
  answer: ForgeResponse | ForgeFailure,
  { provider, thing, nowMs }: Context,
): Outcome {
  if ('failure' in answer) {
    const { failure: why, isFinal } = answer
    return isFinal ? { result: 'given_up', why } : { result: 'retry', afterMs: undefined, why }
  }
  const { status } = answer
  if (status >= 200 && status < 300) return { result: 'done' }
  const forge = forgeNames[provider]
  const afterMs = pauseOf(answer, nowMs)
  if (status === 429 || (status === 403 && afterMs !== undefined))
    return { result: 'retry', afterMs, why: `${forge} has had too many requests with this token.` }
  if (status >= 500 || status === 408)
    return { result: 'retry', afterMs, why: `${forge} failed with status ${status}.` }
  return { result: 'given_up', why: describe(status, forge, rights[provider][thing]) }
}

function describe(status: number, forge: string, right: string): string {
  if (status >= 300 && status < 400)
    return `Status ${status}: redirects are not followed. Set the address that the repository has now.`
  if (status === 401)
    return `Status 401: ${forge} doesn't know the token. It may have expired; it needs the right ${right}.`
  if (status === 403) return `Status 403: the token needs the right ${right}.`
  if (status === 404)
    return `Status 404: the repository isn't there, or the token can't see it. It needs the right ${right}.`
  return `Status ${status}: ${forge} refused the request.`
}

/** The pause that a forge asks for: seconds, until a date, or until a used-up limit is full again. */
function pauseOf({ headers }: ForgeResponse, nowMs: number): number | undefined {
  const askedMs = readRetryAfter(headers['retry-after'], nowMs) ?? untilReset(headers, nowMs)
  return askedMs === undefined ? undefined : Math.min(askedMs, maxAskedMs)
}

/** GitHub, "Rate limits for the REST API"; GitLab's headers have no `x-`. */
function untilReset(headers: ForgeResponse['headers'], nowMs: number): number | undefined {
  const of = (name: string) => headers[`x-${name}`] ?? headers[name]
  const reset = of('ratelimit-reset')
  if (of('ratelimit-remaining') !== '0' || typeof reset !== 'string' || !/^\d{1,12}$/.test(reset))
    return undefined
  return Math.max(0, Number(reset) * 1_000 - nowMs)
}
