/** Passes requests on to a deployment's own server, which is started for them where it doesn't run. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { isGone } from '../../../lib/net/unread/peer.ts'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import type { AnswerProblem } from '../../../platform/servers/answer-problems.ts'
import {
  type LeaseOutcome,
  type ServerLease,
  ServerRefused,
  type Servers,
  type ServerWanted,
} from '../../../platform/servers/servers.ts'
import type { Exchange } from '../observed-exchange.ts'
import { withoutSecrets } from '../protection.ts'
import { sendText } from '../responses/deliver.ts'
import { plainResponse } from '../responses/plain-responses.ts'
import { bodyOf, isRepeatable } from './has-body.ts'
import { createKeptConnections, type Head } from './kept-connections.ts'
import { type LeasedServer, leaseServer } from './leased-server.ts'
import { maxHeaderSize } from './origin-request.ts'
import { passOn } from './pass-on.ts'
import type { Passed } from './passed.ts'
import type { Places } from './places.ts'
import { requestFields, webSocketFields } from './request-fields.ts'
import { sendByHttp } from './send-http.ts'
import { serverFailedResponse } from './server-failure.ts'
import { type SilenceLimits, SilentError } from './silence.ts'
import { createAnswerFields } from './site-answer.ts'

type Deps = {
  /** The servers of this node; undefined where it runs none. */
  servers: Servers | undefined
  /** The host below which the sites are. */
  sitesHost: string
  /** How many requests a server gets at a time. */
  serverPlaces: Places
  limits: SilenceLimits
  /** Whether the visitor came over HTTPS, to this server or to a proxy before it. */
  isSecure: (req: IncomingMessage) => boolean
}

/** By the bucket of a visitor's address. */
type Wanted = ServerWanted & { address: string }

/** A request for a server, with the fields that this one gets. */
type Prepared = { passed: Passed; fields: string[]; wanted: Wanted; left: AbortSignal }

/** Resolves when the exchange has ended; `left` aborts when the visitor leaves. */
type PassToServer = (exchange: Exchange, passed: Passed, left: AbortSignal) => Promise<void>

/** Passes requests on to the servers of `deps`. */
export function createPassToServer(deps: Deps): PassToServer {
  const { serverPlaces, limits, sitesHost } = deps
  const connections = createKeptConnections()

  function fieldsFor(req: IncomingMessage, { visit, request, address }: Passed): string[] | undefined {
    const { host = '' } = request.head
    return requestFields(req.rawHeaders, {
      host,
      visitor: { address, host, isSecure: deps.isSecure(req) },
      mayHaveCookies: true,
      mayAuthorize: !visit.isAuthorized,
      body: bodyOf(req),
    })
  }

  /** Passes it on once it is its turn, and ends the lease. */
  async function passTo(leased: LeasedServer, exchange: Exchange, request: Prepared): Promise<void> {
    const { passed, fields, wanted, left } = request
    const { res } = exchange
    const { req } = res
    const { upgrade } = passed
    const origin = `${wanted.deploymentId} ${wanted.target}`
    const asker = { ...wanted, origin }
    let outcome: LeaseOutcome | undefined
    let giveBack: (() => void) | undefined
    try {
      giveBack = await serverPlaces.take(asker, left)
      if (left.aborted || isGone(res)) return
      if (!giveBack) return void sendText(exchange, plainResponse(503))
      const head = {
        method: req.method ?? 'GET',
        path: pathOf(req, passed.request.target.query),
        fields: upgrade ? [...fields, ...webSocketFields] : fields,
      }
      // A server that has ended may still have taken what was sent on a kept connection: nobody knows.
      const mayBeKept = isRepeatable(req) && !upgrade && req.headers.expect === undefined
      const sendTo = (to: ServerLease) =>
        mayBeKept ? connections.send(to, head) : sendByHttp(() => openRequest(to, head), req)
      const dropped = new Set<AnswerProblem>()
      const answerFields = createAnswerFields(req, passed, sitesHost, (field) => dropped.add(field))
      await passOn(exchange, {
        send: (receiver) => sendTo(leased.current())(receiver),
        again: leased.again,
        failed(error) {
          const problem = problemOf(error, req)
          if (problem === 'silent') outcome = 'silent'
          if (problem) leased.current().noteProblems([problem])
          return serverFailedResponse(error)
        },
        answerFields(status, rawHeaders) {
          outcome = 'answered'
          const fields = answerFields(status, rawHeaders)
          if (dropped.size > 0) leased.current().noteProblems([...dropped])
          return fields
        },
        limits,
        upgrade,
        goesAway: () => leased.current().holdSocket(),
      })
    } finally {
      leased.end(outcome)
      giveBack?.()
    }
  }

  return async (exchange, passed, left) => {
    const { res } = exchange
    const { req } = res
    const fields = fieldsFor(req, passed)
    if (fields === undefined) return sendText(exchange, plainResponse(508))
    const wanted = wantedBy(passed)
    const { servers } = deps
    if (!wanted || !servers) return sendText(exchange, plainResponse(503))
    try {
      const leased = await leaseServer(servers, wanted, left)
      await passTo(leased, exchange, { passed, fields, wanted, left })
    } catch (error) {
      if (left.aborted || isGone(res)) return
      if (!(error instanceof ServerRefused)) throw error
      sendText(exchange, serverFailedResponse(error))
    }
  }
}

/** Undefined where the visitor was silent, within a request, and where the end of the server has a line. */
function problemOf(error: unknown, { complete }: IncomingMessage): AnswerProblem | undefined {
  if (error instanceof ServerRefused) return undefined
  if (!(error instanceof SilentError)) return 'broken'
  return complete ? 'silent' : undefined
}

/** A request over a connection of its own, whose head is sent with the first bytes of its body. */
function openRequest({ path: socketPath }: ServerLease, { method, path, fields }: Head): ClientRequest {
  return requestHttp({ socketPath, agent: false, method, path, headers: fields, maxHeaderSize })
}

/** Undefined where the site has no server any more. */
function wantedBy({ visit: { site }, address }: Passed): Wanted | undefined {
  const { server, deploymentId, teamId, projectId } = site
  if (!server || deploymentId === null) return undefined
  return { deploymentId, target: server.target, teamId, projectId, address: addressBucket(address) }
}

/** The path as the visitor sent it: what its segments mean is the server's to say. */
function pathOf({ url = '/' }: IncomingMessage, query: string): string {
  const mark = url.indexOf('?')
  return (mark === -1 ? url : url.slice(0, mark)) + withoutSecrets(query)
}
