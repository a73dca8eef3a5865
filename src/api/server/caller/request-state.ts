/** The state of a request before its body is read: the caller, and the abort signal. */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { Principals } from '../../../platform/callers/authenticate.ts'
import { type Credential, readCredential } from '../../../platform/callers/credential.ts'
import { identityInput } from '../../../platform/callers/credential-input.ts'
import { type Called, checkCredential, exchange } from '../../../platform/callers/enforcement.ts'
import { jwtNotConfigured } from '../../../platform/callers/mint.ts'
import type { Principal } from '../../../platform/callers/principal.ts'
import { factorRequired, lacksFactor } from '../../../platform/callers/require-factor.ts'
import { checkOrigin, sessionCookie } from '../../../platform/callers/session-cookie.ts'
import { leftTeam } from '../../../platform/callers/team-not-found.ts'
import { unauthorized } from '../../../platform/callers/unauthorized.ts'
import type { Context } from '../../trpc/context.ts'
import { withinDeadline } from '../../trpc/deadline.ts'
import { invalidInput } from '../../trpc/error-body.ts'
import type { ServerDeps } from '../deps.ts'
import { type Calls, type Drawn, limitAddress, limitCaller } from './limit-requests.ts'

/** A credential, and the team that a session selects. */
type Shown = { credential: Credential; team: string | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    /** How the principal authenticated. */
    presented: Shown | null
    /** The state of the rate limit after this request. */
    drawn: Drawn | null
    /**
     * The operation for metrics: a procedure, a part of the server, none; undefined if its calls are counted
     * one by one.
     */
    operation: string | undefined
    /** When it came, by a monotonic clock, in milliseconds. */
    startedMs: number
    /**
     * The client's address: the connection's, or a trusted proxy's. Unlike `ip`, available after the
     * connection has closed.
     */
    address: string
  }
}

/** A hook that counts requests as `operation`. */
export function countAs(operation: string) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    request.operation = operation
    done()
  }
}

/** Adds the state to every request of `app`. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('principal', null)
  app.decorateRequest('presented', null)
  app.decorateRequest('drawn', null)
  app.decorateRequest('operation', 'none')
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('address', '')
  app.decorateRequest('zip', null)
}

/**
 * A hook that authenticates from the headers alone, names the operation for metrics, and draws one token per
 * call from the caller's bucket, or from the address's for anonymous requests.
 * @throws AppError `unauthorized`, `token_malformed`, `origin_not_allowed`, `team_not_found`, `rate_limited`,
 * `store_unavailable` (which draws nothing).
 */
export function authenticateHook<Request extends FastifyRequest>(
  { principals, services, limits }: ServerDeps,
  operationOf: (request: Request) => string,
  callsOf: (request: Request) => Calls = () => 1,
) {
  const limiting = { limits, observe: services.observe }
  return (request: Request, reply: FastifyReply, done: (error?: Error) => void): void => {
    request.operation = operationOf(request)
    const admit = (known: Principal): void => {
      request.principal = known
      limitCaller(limiting, { principal: known, calls: callsOf(request) }, { request, reply }, done)
    }
    const refuse = (error: Error): void => {
      if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') done(error)
      else limitAddress(limiting, { request, reply }, (limited) => done(limited ?? error))
    }
    if (mayIdentify(request, services.apiUrl)) {
      limitAddress(limiting, { request, reply }, done)
      return
    }
    const principal = authenticate(principals, request, services.apiUrl)
    if (principal instanceof Promise) withinDeadline(principal).then(admit, refuse)
    else admit(principal)
  }
}

/** More than an identity token and the names beside it take. */
const maxIdentityBytes = 32 * 1024

/** Whether its body may hold an identity token: it calls the exchange, without any credential. */
function mayIdentify({ method, operation, headers }: FastifyRequest, apiUrl: string): boolean {
  const { authorization, cookie, 'content-length': length = 0 } = headers
  if (operation !== exchange || method !== 'POST' || authorization !== undefined) return false
  if (Number(length) > maxIdentityBytes) return false
  return cookie === undefined || sessionCookie(cookie, apiUrl) === undefined
}

/**
 * A hook, after the body of a call without any credential: takes the identity token from the input of the
 * exchange, and draws from the bucket of the team that it is trusted in.
 * @throws AppError `unauthorized`, `invalid_input`, `not_trusted`, `issuer_unavailable`, `rate_limited`,
 * `store_unavailable`.
 */
export function identifyHook<Request extends FastifyRequest>(
  { principals, services, limits }: ServerDeps,
  inputOf: (request: Request) => unknown,
) {
  const limiting = { limits, observe: services.observe }
  return (request: Request, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (request.principal || request.operation !== exchange) {
      done()
      return
    }
    const identify = async (): Promise<Principal> => {
      const credential = identityIn(services, inputOf(request))
      request.presented = { credential, team: undefined }
      return principals.authenticate(credential, undefined, request.address)
    }
    withinDeadline(identify()).then((known) => {
      request.principal = known
      limitCaller(limiting, { principal: known, calls: 1 }, { request, reply }, done)
    }, done)
  }
}

/**
 * @throws AppError `unauthorized` without a token, `invalid_input` for one that names no project,
 * `jwt_not_configured`.
 */
function identityIn({ apiUrl: audience, jwts }: ServerDeps['services'], input: unknown): Credential {
  if (!isRecord(input) || input['oidc_token'] === undefined) throw unauthorized()
  const parsed = identityInput.safeParse(input)
  if (!parsed.success) throw invalidInput(parsed.error, input)
  if (!jwts) throw jwtNotConfigured()
  const { oidc_token: token, team, project } = parsed.data
  return { kind: 'identity', token, audience, team, project }
}

/**
 * A hook, after the one above, that refuses a credential of the wrong kind before the body is read.
 * `calledBy` returns the procedure that a request calls, as far as its headers show.
 * @throws AppError `jwt_required`, `jwt_cannot_mint`, `scope`.
 */
export function enforceHook<R extends FastifyRequest>(
  { services: { jwts } }: ServerDeps,
  calledBy: (request: R) => Called | undefined,
) {
  return (request: R, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const called = calledBy(request)
    if (called && request.principal) checkCredential(called, request.principal, jwts !== undefined)
    done()
  }
}

/**
 * A hook, after the body, which may have taken long: checks the credential again. Costs no query while
 * nothing has changed.
 * @throws AppError `unauthorized`, `team_not_found`, `store_unavailable`.
 */
export function authenticateAgainHook({ principals }: Pick<ServerDeps, 'principals'>) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { method, principal: before, presented } = request
    // These have no body to wait for, or were looked up after it.
    const isPresent = method === 'GET' || method === 'HEAD' || presented?.credential.kind === 'identity'
    if (isPresent || !before || !presented) {
      done()
      return
    }
    const admit = (known: Principal): void => {
      request.principal = known
      done(isSameTeam(before, known) ? undefined : leftTeam())
    }
    const principal = find(principals, presented)
    if (principal instanceof Promise) withinDeadline(principal).then(admit, done)
    else admit(principal)
  }
}

/** The session's default team changes when the user leaves that team. */
const isSameTeam = (before: Principal, now: Principal) => before.teamId === now.teamId

function find(
  principals: Principals,
  { credential, team }: Shown,
  address?: string,
): Principal | Promise<Principal> {
  try {
    return principals.authenticate(credential, team, address)
  } catch (error) {
    return Promise.reject(error)
  }
}

function authenticate(
  principals: Principals,
  request: FastifyRequest,
  apiUrl: string,
): Principal | Promise<Principal> {
  const { method, headers, address } = request
  try {
    const { credential, byCookie } = readCredential(headers, apiUrl)
    if (byCookie) checkOrigin(method, headers, apiUrl)
    request.presented = { credential, team: headers['x-svc-team']?.toString() }
    return find(principals, request.presented, address)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The context of a procedure call for a request that was authenticated. */
export function contextOf(
  { services, principals, stopping }: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Context {
  const { principal, presented, drawn } = request
  if (!principal || !presented || !drawn)
    throw new Error('A procedure was called before the request was authenticated.')
  let signal: AbortSignal | undefined
  return {
    services,
    principal,
    limit: () => ({ ...drawn.policy.rate, remaining: drawn.remaining }),
    tokens: drawn.tokens,
    requestId: request.id,
    address: request.address,
    agent: request.headers['user-agent'],
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    remember: undefined,
    zip: request.zip ?? undefined,
    async authenticateAgain() {
      const now = await find(principals, presented)
      if (!isSameTeam(principal, now)) throw leftTeam()
      if (lacksFactor(now)) throw factorRequired(now.teamSlug)
      return now
    },
    signal: () => {
      signal ??= endSignal(stopping, reply.raw)
      return signal
    },
  }
}

/**
 * Removes its listeners from what outlives the request: the connection, and `stopping` (unlike
 * `AbortSignal.any`).
 */
function endSignal(stopping: AbortSignal, response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (stopping.aborted || response.destroyed) end()
  // For an HTTP/2 stream, the end is the response's close.
  const socket = response.req.httpVersionMajor === 1 ? response.socket : undefined
  stopping.addEventListener('abort', end)
  // A client that half-closes still gets a response, but waiting calls return.
  socket?.once('end', end)
  response.once('close', () => {
    stopping.removeEventListener('abort', end)
    socket?.off('end', end)
    end()
  })
  return controller.signal
}
