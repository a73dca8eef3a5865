/** Passes requests on to the servers of rules. */
import type { IncomingMessage } from 'node:http'
import { isGone } from '../../../lib/net/unread/peer.ts'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import { formatAddress } from '../decide.ts'
import type { FileSite } from '../find-site.ts'
import type { Exchange } from '../observed-exchange.ts'
import type { PassedOn } from '../resolve-request.ts'
import { sendText } from '../responses/deliver.ts'
import { plainResponse } from '../responses/plain-responses.ts'
import type { Sites } from '../sites.ts'
import { isDomain, type ReadHost } from '../wire/site-host.ts'
import { failedResponse } from './failure.ts'
import { bodyOf } from './has-body.ts'
import type { OriginAgents } from './origin-agents.ts'
import { openRequest } from './origin-request.ts'
import { passOn } from './pass-on.ts'
import type { Passed } from './passed.ts'
import type { Places } from './places.ts'
import { requestFields, webSocketFields } from './request-fields.ts'
import { sendByHttp } from './send-http.ts'
import type { SilenceLimits } from './silence.ts'
import { createAnswerFields } from './site-answer.ts'

type Deps = {
  sites: Pick<Sites, 'get'>
  readHost: ReadHost
  /** The host below which the sites are. */
  sitesHost: string
  agents: OriginAgents
  places: Places
  limits: SilenceLimits
  /** Whether the visitor came over HTTPS, to this server or to a proxy before it. */
  isSecure: (req: IncomingMessage) => boolean
}

type PassedToOrigin = Passed<Extract<PassedOn, { kind: 'pass' }>>

/** Resolves when the exchange has ended; `left` aborts when the visitor leaves. */
type PassToOrigin = (exchange: Exchange, passed: PassedToOrigin, left: AbortSignal) => Promise<void>

/** Passes requests on to where the rules of sites say. */
export function createPassToOrigin(deps: Deps): PassToOrigin {
  const { agents, places, limits, sitesHost } = deps

  /** Whether the rule's host is a verified name of the site's own project. */
  async function isOwn({ projectId }: FileSite, { hostname }: URL): Promise<boolean> {
    const host = deps.readHost(hostname)
    if (typeof host === 'number' || !isDomain(host)) return false
    // Without the answer of a store, credentials stay here.
    const site = await deps.sites.get(host).catch(() => undefined)
    return site?.projectId === projectId
  }

  async function fieldsFor(req: IncomingMessage, { visit, request, address, to }: PassedToOrigin) {
    const url = new URL(to.origin)
    const { cookie, authorization, host = '' } = request.head
    const mayHaveCredentials = cookie !== undefined || authorization !== undefined
    const isForOwn = mayHaveCredentials && (await isOwn(visit.site, url))
    return requestFields(req.rawHeaders, {
      host: url.host,
      visitor: { address, host, isSecure: deps.isSecure(req) },
      mayHaveCookies: isForOwn,
      // Of a protected site, its visitors' credentials are for this platform.
      mayAuthorize: isForOwn && !visit.site.isProtected,
      body: bodyOf(req),
    })
  }

  return async (exchange, passed, left) => {
    const { res } = exchange
    const { req } = res
    const { visit, request, upgrade } = passed
    const fields = await fieldsFor(req, passed)
    if (fields === undefined) return sendText(exchange, plainResponse(508))
    const { origin, address } = passed.to
    const asker = { ...visit.site, origin, address: addressBucket(passed.address) }
    const giveBack = await places.take(asker, left)
    if (left.aborted || isGone(res)) return giveBack?.()
    if (!giveBack) return sendText(exchange, plainResponse(503))
    const path = formatAddress(address, request.target.query)
    const head = { method: req.method ?? 'GET', fields: upgrade ? [...fields, ...webSocketFields] : fields }
    let hasRepeated = false
    try {
      await passOn(exchange, {
        send: sendByHttp(() => openRequest(agents, { origin, path }, head), req),
        async again({ isStale }) {
          const isFirst = !hasRepeated
          hasRepeated = true
          return isFirst && isStale
        },
        failed: failedResponse,
        answerFields: createAnswerFields(req, passed, sitesHost),
        limits,
        upgrade,
      })
    } finally {
      giveBack()
    }
  }
}
