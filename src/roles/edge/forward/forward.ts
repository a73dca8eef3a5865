/** Passes what visitors of a site send on to the servers of its rules. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { mayTakeLong } from '../../../lib/net/late-bodies.ts'
import { isGone } from '../../../lib/net/unread/peer.ts'
import { addressBucket } from '../../../platform/limits/address-bucket.ts'
import type { Visit } from '../admit-request.ts'
import { formatAddress } from '../decide.ts'
import type { FileSite } from '../find-site.ts'
import { isOverTls, withHsts } from '../https.ts'
import type { Exchange } from '../observed-exchange.ts'
import type { PassedOn } from '../resolve-path.ts'
import { sendText } from '../responses/deliver.ts'
import { plainResponse } from '../responses/plain-responses.ts'
import { withoutIndex } from '../robots.ts'
import type { Sites } from '../sites.ts'
import { needsBody } from '../wire/client-error.ts'
import type { ReadRequest } from '../wire/read-request.ts'
import { isDomain, type ReadHost } from '../wire/site-host.ts'
import { answerFields } from './answer-fields.ts'
import type { Field } from './fields.ts'
import type { OriginAgents } from './origin-agents.ts'
import { openRequest } from './origin-request.ts'
import { hasBody, passOn } from './pass-on.ts'
import type { Places } from './places.ts'
import { requestFields } from './request-fields.ts'
import type { SilenceLimits } from './silence.ts'

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

/**
 * A request of a visitor to a site, whose rule passes it on; `upgrade` is its connection, on which it asks
 * for a WebSocket.
 */
type Passed = {
  visit: Visit
  request: ReadRequest
  address: string
  to: PassedOn
  upgrade?: { socket: Duplex; head: Buffer }
}

export type Forward = {
  /** Resolves when the exchange has ended; the visitor has got an answer, or has left. */
  pass(exchange: Exchange, passed: Passed): Promise<void>
}

/** Passes requests on for all sites of a process. */
export function createForward(deps: Deps): Forward {
  const { agents, places, limits, sitesHost } = deps

  /** Whether the rule's host is a verified name of the site's own project. */
  async function isOwn({ projectId }: FileSite, { hostname }: URL): Promise<boolean> {
    const host = deps.readHost(hostname)
    if (typeof host === 'number' || !isDomain(host)) return false
    // Without the answer of a store, credentials stay here.
    const site = await deps.sites.get(host).catch(() => undefined)
    return site?.projectId === projectId
  }

  async function fieldsFor(req: IncomingMessage, { visit, request, address, to }: Passed) {
    const url = new URL(to.origin)
    const { cookie, authorization, host = '' } = request.head
    const mayHaveCredentials = cookie !== undefined || authorization !== undefined
    return requestFields(req.rawHeaders, {
      host: url.host,
      visitor: { address, host, isSecure: deps.isSecure(req) },
      isOwn: mayHaveCredentials && (await isOwn(visit.site, url)),
      isProtected: visit.site.isProtected,
      body: bodyOf(req),
    })
  }

  function answerOf(req: IncomingMessage, { visit, request }: Passed) {
    const { site, manifest } = visit
    const namesOfOthers = isDomain(site.host) ? [sitesHost, site.host] : [sitesHost]
    return (status: number, rawHeaders: readonly string[]): Field[] => {
      const added = addedHeaders(req, { site, manifest, path: request.target.path, status })
      return answerFields(rawHeaders, { namesOfOthers, isProtected: site.isProtected, added })
    }
  }

  return {
    async pass(exchange, passed) {
      const { res } = exchange
      const { site } = passed.visit
      mayTakeLong(res.req)
      if (hasBody(res.req)) needsBody(res)
      const fields = await fieldsFor(res.req, passed)
      if (fields === undefined) return sendText(exchange, plainResponse(508))
      const { origin, address } = passed.to
      const left = new AbortController()
      res.once('close', () => left.abort())
      const giveBack = await places.take(
        { ...site, origin, address: addressBucket(passed.address) },
        left.signal,
      )
      if (left.signal.aborted || isGone(res)) return giveBack?.()
      if (!giveBack) return sendText(exchange, plainResponse(503))
      const path = formatAddress(address, passed.request.target.query)
      const { upgrade } = passed
      const head = { method: res.req.method ?? 'GET', fields: upgrade ? [...fields, ...webSocket] : fields }
      try {
        await passOn(exchange, {
          open: () => openRequest(agents, { origin, path }, head),
          answerFields: answerOf(res.req, passed),
          limits,
          upgrade,
        })
      } finally {
        giveBack()
      }
    },
  }
}

const webSocket = ['Connection', 'Upgrade', 'Upgrade', 'websocket']

type Added = Visit & { path: string; status: number }

/** The headers that the site's rules and this server add, as alternating names and values. */
function addedHeaders(req: IncomingMessage, { site, manifest, path, status }: Added): string[] {
  const own = { status: 200, headers: [], body: [] }
  // An error isn't kept for what its path is meant to have.
  const isCached = !site.isProtected && status < 400
  const answer = manifest.addHeaders?.(own, path, isCached ? 'public' : 'private') ?? own
  const secured = site.hsts && isOverTls(req) ? withHsts(answer) : answer
  return (site.isPreview ? withoutIndex(secured) : secured).headers
}

/** How the body is delimited; one that has none says so where the method suggests one. */
function bodyOf(req: IncomingMessage) {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  const isChunked = length === undefined && encoding !== undefined
  const isNone = !hasBody(req) && !withoutBody.has(req.method ?? '')
  return { length: length ?? (isNone && !isChunked ? '0' : undefined), isChunked }
}

/** Methods whose requests have no body, unless they say otherwise. */
const withoutBody = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE'])
