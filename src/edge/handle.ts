/** Answers requests: host, deployment, manifest, bytes; without a wait when all of them are in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUnavailable } from '../db/failures.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Deliver, sendText } from './answers/deliver.ts'
import { plainAnswer } from './answers/plain-answers.ts'
import { decide } from './decide.ts'
import type { Visit, Visits } from './visits.ts'
import { readRequest, type SiteRequest } from './wire/read-request.ts'
import type { ReadLabel } from './wire/site-label.ts'

type Deps = { visits: Visits; deliver: Deliver; readLabel: ReadLabel; log: Logger }

/** A listener for requests, which never throws. */
export function createHandle({ visits, deliver, readLabel, log }: Deps) {
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
    await ('refusal' in admitted ? sendText(res, admitted.refusal) : serve(res, request, admitted))
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    const request = readRequest(req, readLabel)
    if (typeof request === 'number') {
      sendText(res, plainAnswer(request))
      return
    }
    const fail = (error: unknown) => answerFailure(res, error, log, request.label)
    try {
      const visit = visits.atOnce(request)
      const sending = visit ? serve(res, request, visit) : admitAndServe(res, request)
      sending?.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}

function answerFailure(res: ServerResponse, error: unknown, log: Logger, label: string): void {
  // A client that left is not a failure of ours.
  if (res.destroyed) return
  log.error({ err: error, label }, 'An answer of a site failed.')
  if (res.headersSent) {
    res.destroy()
    return
  }
  const isAway = (error instanceof AppError && error.reason === 'store_unavailable') || isUnavailable(error)
  sendText(res, plainAnswer(isAway ? 503 : 500))
}
