/** Opens the ports of the API: plain HTTP/1.1, and HTTPS with HTTP/2 and HTTP/1.1 if set. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../../../lib/log/logger.ts'
import { createHttp2Server } from '../../../lib/net/http2-server.ts'
import { listen, type StopsAccepting } from '../../../lib/net/listen.ts'
import type { ReadProxyHeader } from '../../../lib/net/proxy-protocol.ts'
import type { UnreadLimits } from '../../../lib/net/unread/limits.ts'
import { watchHttp1 } from '../../../lib/net/unread/watch-server.ts'
import type { Settings } from '../../../lib/settings/variables.ts'
import { listenTls } from '../../../lib/tls/listen-tls.ts'
import { openCertificate } from '../../../lib/tls/open-certificate.ts'
import { createTlsServer, type FindContext, type TlsServer } from '../../../lib/tls/tls-server.ts'
import { type ClientOf, createClientOf } from '../../../platform/limits/client-of.ts'
import { limitConnections } from '../../../platform/limits/limit-connections.ts'
import type { Slots } from '../../../platform/limits/slots.ts'
import { refuseOverHttp2 } from './refuse-ambiguous.ts'
import type { Timeouts } from './timeouts.ts'

type Deps = {
  settings: Settings
  timeouts: Timeouts
  log: Logger
  nowMs: () => number
  /** Called with the status of each request that was refused before it was parsed. */
  onRefused: (status: number) => void
  /** The bytes that clients leave unread. */
  unread: UnreadLimits
  /** The connections of each client; undefined without a limit. */
  connections: Slots | undefined
  /**
   * Where other processes of the node listen on the same ports, what all of them encrypt session tickets
   * with.
   */
  ticketKeys: Buffer | undefined
  /** The server of an obtained certificate, instead of one in files; undefined where there is none. */
  obtained: ObtainedCertificate | undefined
  /** Reads the headers of proxies, where they send them. */
  readProxyHeader: ReadProxyHeader | undefined
}

/**
 * Resolves once all ports listen; `tlsPort` is the port of HTTPS, if any.
 * @throws SettingsError when a port is in use, or the certificate can't be used.
 */
export async function listenApi(
  app: FastifyInstance,
  deps: Deps,
): Promise<StopsAccepting & { tlsPort: number | undefined }> {
  const { SVC_PORT, SVC_TLS_PORT, SVC_HOST } = deps.settings
  const { readProxyHeader, unread, connections, log } = deps
  const clientOf = createClientOf(deps.settings.SVC_TRUSTED_PROXIES)
  const accepted = connections && limitConnections(connections, { target: 'api', clientOf, log })
  if (accepted) app.server.on('connection', accepted)
  watchHttp1(app.server, unread, clientOf)
  const isShared = deps.ticketKeys !== undefined
  const plain = await listen(app.server, {
    port: SVC_PORT,
    host: SVC_HOST,
    setting: 'SVC_PORT',
    isShared,
    readProxyHeader,
  })
  if (SVC_TLS_PORT === undefined) return { ...plain, tlsPort: undefined }
  try {
    const tls = await openTls(app, plain, SVC_TLS_PORT, { ...deps, accepted, clientOf })
    return { ...tls, port: plain.port, tlsPort: tls.port }
  } catch (error) {
    await plain.close(0)
    throw error
  }
}

/** A certificate that is obtained from an authority, and renewed. */
export type ObtainedCertificate = {
  contextOf: FindContext
  ticketKeys: Buffer
  follow(tls: TlsServer): void
}

/** Also stops `plain`, which has the HTTP/1.1 connections of TLS. */
async function openTls(
  app: FastifyInstance,
  plain: StopsAccepting,
  port: number,
  deps: Deps & { accepted: ((socket: Socket) => void) | undefined; clientOf: ClientOf },
): Promise<StopsAccepting> {
  const { settings, timeouts, log, nowMs, onRefused, ticketKeys, obtained, readProxyHeader } = deps
  const { accepted, unread, clientOf } = deps
  const files = obtained ? undefined : await openCertificate(settings, nowMs)
  const http2 = createHttp2Server({
    timeouts,
    unread,
    clientOf,
    handle: (request, response) => app.routing(request, response),
    refuse(request, response) {
      const status = refuseOverHttp2(request, response)
      if (status !== undefined) onRefused(status)
      return status !== undefined
    },
  })
  const options = {
    certificate: files?.certificate,
    contextOf: obtained?.contextOf,
    handshakeMs: timeouts.headersMs,
    ticketKeys: obtained?.ticketKeys ?? ticketKeys,
    readProxyHeader,
    accepted,
  }
  const tls = createTlsServer(options, { http1: app.server, http2 })
  const place = { port, host: settings.SVC_HOST, setting: 'SVC_TLS_PORT' } as const
  const listening = await listenTls({ tls, http2, plain }, { ...place, isShared: ticketKeys !== undefined })
  obtained?.follow(tls)
  const stopWatching = files?.watch(tls.use, log, timeouts.checkMs)
  return {
    ...listening,
    close(waitMs) {
      stopWatching?.()
      return listening.close(waitMs)
    },
  }
}
