/** Handles requests: host, deployment, manifest, bytes; synchronously if all of them are in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { TooManyLoadsError } from '../cache/fresh-cache.ts'
import { isStoreAway } from '../db/failures.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { Visit, Visits } from './access.ts'
import { decide } from './decide.ts'
import type { Exchange, Exchanges } from './exchange.ts'
import type { Site } from './find-site.ts'
import { type Deliver, sendText } from './responses/deliver.ts'
import { plainResponse } from './responses/plain-responses.ts'
import type { ClientAddress } from './wire/client-address.ts'
import { type OtherRequest, readRequest, type SiteRequest } from './wire/read-request.ts'
import type { ReadHost } from './wire/site-host.ts'

type Deps = {
  visits: Visits
  deliver: Deliver
  readHost: ReadHost
  exchanges: Exchanges
  clientAddress: ClientAddress
  log: Logger
}

/** A request listener, which never throws. */
export function createHandle({ visits, deliver, readHost, exchanges, clientAddress, log }: Deps) {
  function visitorOf(exchange: Exchange) {
    const { res, request } = exchange
    return {
      found(site: Site | undefined) {
        exchange.site = site
      },
      address: () => clientAddress(res.req.socket.remoteAddress ?? '', request.head.forwardedFor),
    }
  }

  function serve(
    exchange: Exchange,
    request: SiteRequest,
    { site, manifest }: Visit,
  ): Promise<void> | undefined {
    exchange.site = site
    const { answer, file } = decide(request, site, manifest)
    return file ? deliver(exchange, answer, file) : sendText(exchange, answer)
  }

  async function admitAndServe(exchange: Exchange, request: SiteRequest): Promise<void> {
    const admitted = await visits.admit(request, visitorOf(exchange))
    await ('answer' in admitted ? sendText(exchange, admitted.answer) : serve(exchange, request, admitted))
  }

  async function turnAway(exchange: Exchange, request: OtherRequest): Promise<void> {
    sendText(exchange, await visits.turnAway(request, visitorOf(exchange)))
  }

  function answer(exchange: Exchange): Promise<void> | undefined {
    const { request } = exchange
    if (request.method === 'other') return turnAway(exchange, request)
    const visit = visits.atOnce(request)
    return visit ? serve(exchange, request, visit) : admitAndServe(exchange, request)
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    const request = readRequest(req, readHost)
    if (typeof request === 'number') {
      sendText({ res, bytes: 0, cache: 'none' }, plainResponse(request))
      return
    }
    const exchange = exchanges.begin(res, request)
    const fail = (error: unknown) => answerFailure(exchange, error, log)
    try {
      const answering = answer(exchange)
      if (answering) answering.catch(fail).then(() => exchanges.end(exchange))
      else exchanges.end(exchange)
    } catch (error) {
      fail(error)
      exchanges.end(exchange)
    }
  }
}

function answerFailure(exchange: Exchange, error: unknown, log: Logger): void {
  const { res, request } = exchange
  // A disconnected client is no failure.
  if (res.destroyed) return
  const isLimited = error instanceof AppError && error.reason === 'rate_limited'
  if (!isLimited && !(error instanceof TooManyLoadsError))
    log.error({ err: error, host: request.host }, 'A response of a site failed.')
  if (res.headersSent) {
    res.destroy()
    return
  }
  sendText(exchange, plainResponse(isLimited ? 429 : isStoreAway(error) ? 503 : 500))
}
