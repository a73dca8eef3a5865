/** Handles requests: host, deployment, manifest, bytes; synchronously if all of them are in memory. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log/logger.ts'
import { useOwnAuthority } from '../../lib/net/absolute-form.ts'
import type { ClientAddress } from '../../lib/net/client-address.ts'
import { isGone } from '../../lib/net/unread/peer.ts'
import type { PendingChallenges } from '../../platform/certificates/pending.ts'
import { addressBucket } from '../../platform/limits/address-bucket.ts'
import type { LateRefusals } from '../../platform/limits/late-refusals.ts'
import { ObjectDamaged } from '../../stores/blobs/damaged.ts'
import { ObjectMissing } from '../../stores/blobs/missing.ts'
import { digestOf } from '../../stores/blobs/object-identity.ts'
import { TooManyLoadsError } from '../../stores/cache/fresh-cache.ts'
import { isStoreAway } from '../../stores/db/failures.ts'
import type { Visit, Visits } from './admit-request.ts'
import { challengeResponse, isChallengePath, isProofPath } from './challenge-response.ts'
import { decide } from './decide.ts'
import type { FileSite, Site } from './find-site.ts'
import type { Forward } from './forward/forward.ts'
import { isOverTls, type LeadToHttps, withHsts } from './https.ts'
import type { Exchange, Exchanges } from './observed-exchange.ts'
import type { PassedOn } from './resolve-request.ts'
import { type Deliver, sendText } from './responses/deliver.ts'
import { lostFileResponse, plainResponse } from './responses/plain-responses.ts'
import { withoutIndex } from './robots.ts'
import { isReserved } from './visitors/reserved.ts'
import { type OtherRequest, type ReadRequest, readRequest, type SiteRequest } from './wire/read-request.ts'
import { isDomain, type ReadHost } from './wire/site-host.ts'

type Deps = {
  visits: Visits
  deliver: Deliver
  forward: Forward
  readHost: ReadHost
  exchanges: Exchanges
  clientAddress: ClientAddress
  challenges: PendingChallenges | undefined
  https: LeadToHttps | undefined
  /** Refusals of addresses that go on beyond the rate of unknown sites. */
  late: LateRefusals
  log: Logger
}

/** A request listener, which never throws, and what takes connections for another protocol. */
export function createHandle(deps: Deps) {
  const { visits, deliver, forward, readHost, exchanges, clientAddress, challenges, https, late, log } = deps

  const addressOf = ({ res, request }: Exchange) =>
    clientAddress(res.req.socket.remoteAddress ?? '', request.head.forwardedFor)

  function visitorOf(exchange: Exchange) {
    return {
      req: exchange.res.req,
      found(site: Site | undefined) {
        exchange.site = site
      },
      address: () => addressOf(exchange),
    }
  }

  function serve(exchange: Exchange, request: SiteRequest, visit: Visit): Promise<void> | undefined {
    const { site, manifest } = visit
    exchange.site = site
    const decided = decide(request, site, manifest)
    if ('kind' in decided) return pass(exchange, visit, decided)
    const { file } = decided
    const secured = site.hsts && isOverTls(exchange.res.req) ? withHsts(decided.answer) : decided.answer
    const answer = site.isPreview ? withoutIndex(secured) : secured
    if (!file) return sendText(exchange, answer)
    return deliver(exchange, answer, file)?.catch((error: unknown) => {
      if (!isLost(error) || exchange.res.headersSent) throw error
      // Of a lost compressed form, the file itself is there.
      if (digestOf(error.object) !== file.sha256) return serve(exchange, uncompressed(request), visit)
      return serveAnew(exchange, request, { site, error })
    })
  }

  function pass(exchange: Exchange, visit: Visit, to: PassedOn): Promise<void> {
    exchange.site = visit.site
    return forward.pass(exchange, { visit, request: exchange.request, address: addressOf(exchange), to })
  }

  /** Since the site's files were read, a lost one may have been stored again, as another object. */
  async function serveAnew(
    exchange: Exchange,
    request: SiteRequest,
    { site, error }: { site: FileSite; error: LostObject },
  ): Promise<void> {
    if (!(await visits.rereadFiles(site))) throw error
    await admitAndServe(exchange, request)
  }

  async function admitAndServe(exchange: Exchange, request: SiteRequest): Promise<void> {
    const admitted = await visits.admit(request, visitorOf(exchange))
    const led = exchange.site && (await https?.(exchange.res.req, request))
    if (led) return sendText(exchange, led)
    await ('answer' in admitted ? sendText(exchange, admitted.answer) : serve(exchange, request, admitted))
  }

  async function passOrTurnAway(exchange: Exchange, request: OtherRequest): Promise<void> {
    const decided = await visits.passOrTurnAway(request, visitorOf(exchange))
    if ('answer' in decided) return sendText(exchange, decided.answer)
    const led = await https?.(exchange.res.req, request)
    await (led ? sendText(exchange, led) : pass(exchange, decided.visit, decided.to))
  }

  async function atDoor(exchange: Exchange, request: ReadRequest): Promise<void> {
    const lead = async () => https?.(exchange.res.req, request)
    sendText(exchange, await visits.atDoor(request, { ...visitorOf(exchange), lead }))
  }

  /** A missing file may be a file of the site. */
  async function showChallengeOrServe(
    exchange: Exchange,
    request: SiteRequest,
    pending: PendingChallenges,
  ): Promise<void> {
    const answer = await challengeResponse(request, pending)
    await (answer ? sendText(exchange, answer) : admitAndServe(exchange, request))
  }

  function answer(exchange: Exchange): Promise<void> | undefined {
    const { request } = exchange
    if (isReserved(request.target)) return atDoor(exchange, request)
    if (isProofPath(request.target)) {
      // A team with its files, or its server, there could prove a name of the platform.
      if (!isDomain(request.host)) return Promise.resolve(sendText(exchange, plainResponse(404)))
      if (challenges && isRead(request) && isChallengePath(request.target))
        return showChallengeOrServe(exchange, request, challenges)
    }
    if (!isRead(request)) return passOrTurnAway(exchange, request)
    const visit = visits.atOnce(request)
    if (!visit) return admitAndServe(exchange, request)
    const led = https?.(exchange.res.req, request)
    if (led === undefined) return serve(exchange, request, visit)
    return Promise.resolve(led).then((answer) =>
      answer ? sendText(exchange, answer) : serve(exchange, request, visit),
    )
  }

  /** Possibly a second later; without a response where many others are waiting for theirs. */
  function refuseLate(exchange: Exchange): void {
    const { res } = exchange
    const isHeld = late.hold(addressBucket(addressOf(exchange)), () => {
      if (!isGone(res)) sendText(exchange, plainResponse(429))
    })
    if (isHeld) return
    res.statusCode = 429
    // Not the response, which may still wait for others on the connection.
    res.req.socket.destroy()
  }

  /** Takes a WebSocket that a rule passes on; it is admitted as a GET is. */
  async function takeUpgrade(req: IncomingMessage, socket: Socket, head: Buffer): Promise<boolean> {
    useOwnAuthority(req)
    const request = readRequest(req, readHost)
    if (!isWebSocket(req) || typeof request === 'number' || !isRead(request)) return false
    if (isReserved(request.target) || isProofPath(request.target)) return false
    const address = () => clientAddress(socket.remoteAddress ?? '', request.head.forwardedFor)
    const visit = visits.atOnce(request) ?? (await visits.admit(request, { req, found() {}, address }))
    if ('answer' in visit) return false
    const to = decide(request, visit.site, visit.manifest)
    if (!('kind' in to) || (await https?.(req, request))) return false
    const exchange = exchanges.begin(responseOn(req, socket), request)
    exchange.site = visit.site
    const passed = { visit, request, address: address(), to, upgrade: { socket, head } }
    forward
      .pass(exchange, passed)
      .catch((error: unknown) => answerFailure(exchange, error, log))
      .then(() => exchanges.end(exchange))
    return true
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const request = readRequest(req, readHost)
    if (typeof request === 'number') {
      sendText({ res, bytes: 0, cache: 'none' }, plainResponse(request))
      return
    }
    const exchange = exchanges.begin(res, request)
    const fail = (error: unknown) => {
      if (isLimited(error)) refuseLate(exchange)
      else answerFailure(exchange, error, log)
    }
    try {
      const answering = answer(exchange)
      if (answering) answering.catch(fail).then(() => exchanges.end(exchange))
      else exchanges.end(exchange)
    } catch (error) {
      fail(error)
      exchanges.end(exchange)
    }
  }

  return { handle, takeUpgrade }
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/** A response on a connection that Node has given up, which ends after it. */
function responseOn(req: IncomingMessage, socket: Socket): ServerResponse {
  const res = new ServerResponse(req)
  socket.setTimeout(0)
  res.shouldKeepAlive = false
  res.assignSocket(socket)
  res.once('finish', () => {
    if (res.statusCode !== 101) socket.destroySoon()
  })
  return res
}

function isRead(request: ReadRequest): request is SiteRequest {
  return request.method === 'GET' || request.method === 'HEAD'
}

type LostObject = ObjectMissing | ObjectDamaged

/** Whether it is of an object that may have been stored again. */
function isLost(error: unknown): error is LostObject {
  return error instanceof ObjectMissing || error instanceof ObjectDamaged
}

function answerFailure(exchange: Exchange, error: unknown, log: Logger): void {
  const { res, request } = exchange
  // A disconnected client is no failure.
  if (isGone(res)) return
  if (error instanceof ObjectMissing && !res.headersSent) {
    const [team] = error.object.split('/')
    log.error({ host: request.host, team, object: error.object }, error.message)
    sendText(exchange, lostFileResponse())
    return
  }
  if (!(error instanceof TooManyLoadsError))
    log.error({ err: error, host: request.host }, 'A response of a site failed.')
  if (res.headersSent) {
    res.destroy()
    return
  }
  sendText(exchange, plainResponse(isStoreAway(error) ? 503 : 500))
}

function uncompressed(request: SiteRequest): SiteRequest {
  return { ...request, head: { ...request.head, acceptEncoding: undefined } }
}

function isLimited(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'rate_limited'
}
