/** Answers requests: host, deployment, manifest, bytes; without a wait when all of them are in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStoreAway } from '../db/failures.ts'
import { TooManyLoadsError } from '../fresh-cache.ts'
import type { Logger } from '../log.ts'
import { type Deliver, sendText } from './answers/deliver.ts'
import { plainAnswer } from './answers/plain-answers.ts'
import { decide } from './decide.ts'
import type { Visit, Visits } from './visits.ts'
import { type OtherRequest, readRequest, type SiteRequest } from './wire/read-request.ts'
import type { ReadHost } from './wire/site-host.ts'

type Deps = { visits: Visits; deliver: Deliver; readHost: ReadHost; log: Logger }

/** A listener for requests, which never throws. */
export function createHandle({ visits, deliver, readHost, log }: Deps) {
  function serve(
    res: ServerResponse,
    request: SiteRequest,
    { site, manifest }: Visit,
  ): Promise<void> | undefined {
    const { answer, file } = decide(request, site, manifest)
    return file ? deliver(res, answer, file) : sendText(res, answer)
  }

  async function admitAndServe(res: ServerResponse, request: SiteRequest): Promise<void> {
    const admitted = await visits.admit(request)
    await ('answer' in admitted ? sendText(res, admitted.answer) : serve(res, request, admitted))
  }

  async function turnAway(res: ServerResponse, request: OtherRequest): Promise<void> {
    sendText(res, await visits.turnAway(request))
  }

  function answer(res: ServerResponse, request: SiteRequest | OtherRequest): Promise<void> | undefined {
    if (request.method === 'other') return turnAway(res, request)
    const visit = visits.atOnce(request)
    return visit ? serve(res, request, visit) : admitAndServe(res, request)
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    const request = readRequest(req, readHost)
    if (typeof request === 'number') {
      sendText(res, plainAnswer(request))
      return
    }
    const fail = (error: unknown) => answerFailure(res, error, log, request.host)
    try {
      answer(res, request)?.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

function answerFailure(res: ServerResponse, error: unknown, log: Logger, host: string): void {
  // A client that left is not a failure of ours.
  if (res.destroyed) return
  if (!(error instanceof TooManyLoadsError)) log.error({ err: error, host }, 'An answer of a site failed.')
  if (res.headersSent) {
    res.destroy()
    return
  }
  sendText(res, plainAnswer(isStoreAway(error) ? 503 : 500))
}
